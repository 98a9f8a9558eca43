import { describe, expect, it } from 'vitest'
import { openStorageKeys, resealStorageKeys, sealStorageKeys } from './envelopes'
import { importKey } from './jwe'
import { decodeKeyBundle, openKeyBundle, sealNewKeys } from './key-bundle'
import { fromHex, toHex } from './testing/vectors'

const ids = { uid: '33333333-3333-4333-8333-333333333333', cid: '44444444-4444-4444-8444-444444444444' }

// What tessera_core's KeyBundle.encode() wrote: everything that a leader's envelope can hold.
const keys = `01${'01'.repeat(32)}${'02'.repeat(32)}`
const parts = {
  version: '01',
  keys,
  flags: '0f',
  leader: `11111111111141118111111111111111${'09'.repeat(32)}`,
  record: `00000003${'08'.repeat(32)}`,
  pairs: `0201${'03'.repeat(32)}${'04'.repeat(32)}01${'05'.repeat(32)}${'06'.repeat(32)}`,
  removed: `0002${'07'.repeat(32)}${'06'.repeat(32)}`,
  spaces: `0000000122222222222242228222222222222222${'04'.repeat(32)}0000000000000102${'05'.repeat(32)}`,
  rewinds: '0000000122222222222242228222222222222222000000010000000000000103',
}

function bundle(change: Partial<typeof parts> = {}): Uint8Array<ArrayBuffer> {
  const data = fromHex(Object.values({ ...parts, ...change }).join(''))
  const padded = new Uint8Array(Math.ceil(data.length / 4096) * 4096)
  padded.set(data)
  return padded
}

const newKey = () => importKey(crypto.getRandomValues(new Uint8Array(32)))

describe('a key bundle', () => {
  it('is read with the leader, whatever else it holds', () => {
    const { keys, leader } = decodeKeyBundle(bundle())
    expect(toHex(keys.signSeed)).toBe('01'.repeat(32))
    expect(toHex(keys.kemSeed)).toBe('02'.repeat(32))
    expect(leader?.uuid).toBe('11111111-1111-4111-8111-111111111111')
    expect(toHex(leader!.fingerprint)).toBe('09'.repeat(32))
  })

  it.each([
    [
      'no pin',
      { flags: '00', leader: '', record: '', pairs: '00', removed: '0000', spaces: '00000000', rewinds: '' },
      false,
    ],
    ['a record alone', { flags: '02', leader: '', rewinds: '' }, false],
    ['a leader alone', { flags: '01', record: '', rewinds: '' }, true],
    ['a choice of the leader alone', { flags: '04', leader: '', record: '', rewinds: '' }, false],
  ])('is read with %s', (_, change, pinned) => {
    expect(decodeKeyBundle(bundle(change)).leader !== null).toBe(pinned)
  })

  it.each([
    ['another version', { version: '02' }],
    ['another suite', { keys: keys.replace(/^01/, '02') }],
    ['an unknown flag', { flags: '1f' }],
    ['a flag without its pin', { record: '' }],
    ['a pair of another suite', { pairs: parts.pairs.replace(/^0201/, '0202') }],
    ['too many pairs', { pairs: `11${keys.repeat(17)}` }],
    ['too many removed keys', { removed: `0401${'07'.repeat(32).repeat(1025)}` }],
    ['more spaces than bytes', { spaces: 'ffffffff' }],
    ['a space twice', { spaces: `00000002${parts.spaces.slice(8).repeat(2)}` }],
    ['no space that was rewound', { rewinds: '00000000' }],
    ['a rewound space twice', { rewinds: `00000002${parts.rewinds.slice(8).repeat(2)}` }],
    ['a rewound space without a pin', { rewinds: `00000001${'00'.repeat(28)}` }],
    ['bytes in the padding', { rewinds: `${parts.rewinds}01` }],
  ])('is refused with %s', (_, change) => {
    expect(() => decodeKeyBundle(bundle(change))).toThrow(expect.objectContaining({ code: 'malformed' }))
  })

  it('keeps every byte when another user key seals it', async () => {
    const [before, after] = await Promise.all([newKey(), newKey()])
    const sealed = await sealStorageKeys(bundle(), ids, 41, before)
    const again = await resealStorageKeys(sealed, ids, before, after)
    expect(toHex(await openStorageKeys(again, ids, after))).toBe(toHex(bundle()))
    const header = JSON.parse(Buffer.from(again.split('.')[0] ?? '', 'base64url').toString()) as { rev: number }
    expect(header.rev).toBe(42)
    expect((await openKeyBundle(again, ids, after)).leader?.uuid).toBe('11111111-1111-4111-8111-111111111111')
  })

  it('is made without pins', async () => {
    const userKey = await newKey()
    const made = { signSeed: fromHex('01'.repeat(32)), kemSeed: fromHex('02'.repeat(32)) }
    const plaintext = await openStorageKeys(await sealNewKeys(made, ids, userKey), ids, userKey)
    const empty = { flags: '00', leader: '', record: '', pairs: '00', removed: '0000', spaces: '00000000', rewinds: '' }
    expect(toHex(plaintext)).toBe(toHex(bundle(empty)))
  })
})
