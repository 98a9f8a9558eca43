import { concat, wipe, type Bytes } from './bytes'
import { openStorageKeys, sealStorageKeys } from './envelopes'
import { EnvelopeError } from './errors'
import { uuidText, type Ids } from './headers'
import { encodePrivateKeys, privateKeysBytes, seedBytes, suite, type PrivateKeys } from './member-keys'

/** A member's private keys, and the leader whose words they have compared with their client. */
export type KeyBundle = { keys: PrivateKeys; leader: { uuid: string; fingerprint: Uint8Array } | null }

const version = 1
const paddingBytes = 4096
const hashBytes = 32
const uuidLength = 16
const spacePinBytes = uuidLength + hashBytes + 8 + hashBytes
const rewindPinBytes = uuidLength + 4 + 8
const maxPairs = 16
const maxRemoved = 1024
const flags = { leader: 1, record: 2, obeysConsole: 4, rewinds: 8 }

export async function openKeyBundle(envelope: string, ids: Ids, userKey: CryptoKey): Promise<KeyBundle> {
  const plaintext = await openStorageKeys(envelope, ids, userKey)
  try {
    return decodeKeyBundle(plaintext)
  } finally {
    wipe(plaintext)
  }
}

/** The envelope of keys that were just made, without pins. */
export async function sealNewKeys(keys: PrivateKeys, ids: Ids, userKey: CryptoKey, revision = 1): Promise<string> {
  // Zeros follow: no flag, no recovery pair, no removed key, no space.
  const data = concat(Uint8Array.of(version), encodePrivateKeys(keys))
  const padded = new Uint8Array(paddingBytes)
  padded.set(data)
  try {
    return await sealStorageKeys(padded, ids, revision, userKey)
  } finally {
    wipe(data, padded)
  }
}

/**
 * Copies what it returns, so that the plaintext can be wiped. Recovery pairs, removed keys and pins of
 * records and spaces are checked and left to the client; an envelope is sealed again as it was.
 */
export function decodeKeyBundle(data: Bytes): KeyBundle {
  let at = 0
  const take = (size: number): Uint8Array => {
    if (at + size > data.length) throw malformed('The bytes end too early.')
    at += size
    return data.slice(at - size, at)
  }
  if (take(1)[0] !== version) throw malformed('The version of the keys is unknown.')
  const number = (size: number): number => take(size).reduce((sum, byte) => sum * 256 + byte, 0)
  const takeKeys = (): PrivateKeys => {
    const encoded = take(privateKeysBytes)
    if (encoded[0] !== suite) throw malformed('The suite of the keys is unknown.')
    const keys = { signSeed: encoded.slice(1, 1 + seedBytes), kemSeed: encoded.slice(1 + seedBytes) }
    wipe(encoded)
    return keys
  }
  const keys = takeKeys()
  const known = number(1)
  if (known > flags.leader + flags.record + flags.obeysConsole + flags.rewinds)
    throw malformed('The flags of the pins are unknown.')
  const leader = known & flags.leader ? { uuid: uuidText(take(uuidLength)), fingerprint: take(hashBytes) } : null
  if (known & flags.record) take(4 + hashBytes)
  const pairs = number(1)
  if (pairs > maxPairs) throw malformed('Too many recovery pairs are held.')
  for (let index = 0; index < pairs; index += 1) {
    const pair = takeKeys()
    wipe(pair.signSeed, pair.kemSeed)
  }
  const removed = number(2)
  if (removed > maxRemoved) throw malformed('Too many removed keys are pinned.')
  take(removed * hashBytes)
  const takePins = (size: number): Set<string> => {
    const count = number(4)
    if (count * size > data.length - at) throw malformed('More pins are announced than there are bytes.')
    const spaces = new Set<string>()
    let last = ''
    for (let index = 0; index < count; index += 1) {
      const space = uuidText(take(size).subarray(0, uuidLength))
      if (space <= last) throw malformed('The pins are not sorted by space.')
      last = space
      spaces.add(space)
    }
    return spaces
  }
  const spaces = takePins(spacePinBytes)
  if (known & flags.rewinds) {
    const rewound = takePins(rewindPinBytes)
    if (!rewound.size || ![...rewound].every((space) => spaces.has(space)))
      throw malformed('A space without a pin was rewound.')
  }
  if (take(data.length - at).some((byte) => byte !== 0)) throw malformed('The padding is not zero.')
  return { keys, leader }
}

function malformed(reason: string): EnvelopeError {
  return new EnvelopeError('malformed', reason)
}
