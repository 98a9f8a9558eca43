import { describe, expect, it, vi } from 'vitest'
import { fromHex } from '@/vault/binary'
import { shardBytes, trailerBytes, type PackRecord } from '@/vault/shards'
import { ShareError, type Reason } from '../errors'
import { Pieces } from '../pieces'
import { ShareService } from '../service'

const pack = '00'.repeat(16)
const record: PackRecord = { pack, id: fromHex(pack), k: 2, n: 3, length: 1000, digest: new Uint8Array(32) }
const size = shardBytes(record) + trailerBytes
const whole = () => new Response(new Uint8Array(size))

type Cloud = 'open' | 'closed' | 'gone' | 'endless' | 'short'

/** Three clouds with a piece each. `closed`: its rules keep browsers out. */
function pieces(clouds: Cloud[], relay: Reason | null = null) {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string } = {}) => {
    calls.push(`${address}${body?.includes('"index"') ? ` ${body.at(-2)}` : ''}`)
    if (address.endsWith('/links')) {
      const shards = clouds.map((_, index) => {
        return { index, warehouseId: index, link: { method: 'GET', url: `https://cloud${index}/piece`, headers: {} } }
      })
      return Response.json({ packs: [{ id: 'AAAAAAAAAAAAAAAAAAAAAA', shards }] })
    }
    const isRelayed = address.endsWith('/piece') && address.startsWith('/api')
    const cloud = clouds[Number(isRelayed ? body?.at(-2) : address.charAt(13))]
    if (isRelayed && relay) return Response.json({ code: relay }, { status: 410 })
    if (cloud === 'gone') return isRelayed ? Response.json({ code: 'piece_unavailable' }, { status: 502 }) : failed()
    if (cloud === 'closed' && !isRelayed) return failed()
    if (cloud === 'endless') return new Response(new Uint8Array(size + 1))
    return cloud === 'short' ? new Response(new Uint8Array(size - 1)) : whole()
  })
  const service = new ShareService('77777777-7777-4777-8777-777777777777')
  return { fetcher: new Pieces(service, 'ticket', [record]), calls }
}

function failed(): never {
  throw new TypeError('Failed to fetch')
}

const relayed = (calls: string[]) => calls.filter((call) => call.startsWith('/api') && call.includes('/piece'))

describe('the pieces of a pack', () => {
  it('come straight from the clouds', async () => {
    const { fetcher, calls } = pieces(['open', 'open', 'open'])
    const found = await fetcher.fetch(record, 2, [])
    expect(found.map(({ index }) => index)).toEqual([0, 1])
    expect(relayed(calls)).toEqual([])
  })

  it('come through the service where a cloud keeps browsers out, which is asked once', async () => {
    const { fetcher, calls } = pieces(['closed', 'closed', 'closed'])
    expect(await fetcher.fetch(record, 2, [])).toHaveLength(2)
    await fetcher.fetch(record, 2, [])
    expect(calls.filter((call) => call.startsWith('https://cloud0'))).toHaveLength(1)
    expect(relayed(calls)).toHaveLength(4)
  })

  it.each<Cloud>(['gone', 'endless', 'short'])('come from the others while one cloud is %s', async (state) => {
    const { fetcher } = pieces([state, 'open', 'open'])
    const found = await fetcher.fetch(record, 2, [])
    expect(found.map(({ index }) => index).toSorted()).toEqual([1, 2])
    expect(found.every(({ blob }) => blob.size === size)).toBe(true)
  })

  it('are too few while two clouds are gone', async () => {
    const { fetcher } = pieces(['gone', 'gone', 'open'])
    expect(await fetcher.fetch(record, 2, [])).toHaveLength(1)
  })

  it('end with the reason that the service gives', async () => {
    const { fetcher } = pieces(['closed', 'closed', 'closed'], 'share_ended' as Reason)
    await expect(fetcher.fetch(record, 2, [])).rejects.toEqual(new ShareError('ended'))
  })

  it('leaves out those that are known', async () => {
    const { fetcher } = pieces(['open', 'open', 'open'])
    const known = await fetcher.fetch(record, 2, [])
    expect((await fetcher.fetch(record, 1, known)).map(({ index }) => index)).toEqual([2])
  })
})

describe('a service that lies', () => {
  const find = (answer: unknown) => {
    vi.stubGlobal('fetch', async () => Response.json(answer))
    return new ShareService('77777777-7777-4777-8777-777777777777').find()
  }

  it.each([[{}], [[]], ['text'], [{ company: 'x', salt: 'AAAA' }], [{ company: 3, salt: null, state: 'open' }]])(
    'is not believed: %j',
    async (answer) => {
      await expect(find(answer)).rejects.toBeInstanceOf(ShareError)
    },
  )

  it('cannot make a link of something else', async () => {
    const shards = [
      { index: 0, link: { method: 'POST', url: 'https://cloud/x', headers: {} } },
      { index: 1, link: { method: 'GET', url: 'javascript:alert(1)', headers: null } },
      { index: 'one', link: null },
      null,
    ]
    vi.stubGlobal('fetch', async () =>
      Response.json({ packs: [null, 5, { id: 'x', shards }, { id: 'y', shards: {} }] }),
    )
    const links = await new ShareService('77777777-7777-4777-8777-777777777777').links('ticket', ['x'])
    expect(links.get('x')?.map(({ index, url }) => [index, url])).toEqual([
      [0, ''],
      [1, ''],
    ])
    expect(links.get('y')).toEqual([])
  })
})
