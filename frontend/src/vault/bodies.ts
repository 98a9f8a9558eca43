import { concat, u32, type Bytes } from '@/crypto/bytes'
import { Reader, toHex } from './binary'
import type { Entry } from './entries'
import { malformed } from './errors'
import type { Keyring } from './keyring'
import { uuids } from './keys'
import { chunkBytes } from './packs'
import { hashBytes, idBytes, importSealKey, open, padme } from './primitives'

const maxContent = 65_536
export const maxChangeBytes = 67_108_864
const headBytes = 5
const smallestPlaintext = 256
const referenceBytes = idBytes + 4 + 4 + hashBytes
const kindNumbers = { change: 6, checkpoint: 9 }

export type Reference = { pack: string; position: number; offset: number; id: Bytes; length: number }
/** A body in the entry itself, or the places of its chunks in packs that the entry adds. */
export type Body = { content: Bytes } | { references: Reference[] }

/** Opens the body of a change or checkpoint. */
export async function openBody(entry: Entry, keyring: Keyring): Promise<Body> {
  const { clear, body, space, generation, id } = entry
  if (!body || (clear.kind !== 'change' && clear.kind !== 'checkpoint')) throw malformed('The entry has no body.')
  const key = await importSealKey(keyring.entryKey(generation, id))
  const associated = concat(Uint8Array.of(1, kindNumbers[clear.kind]), uuids(space), u32(generation), id)
  const plaintext = await open(key, new Uint8Array(12), body, associated)
  const reader = new Reader(plaintext)
  const form = reader.u8()
  const length = reader.u32()
  if (length > maxContent || plaintext.length !== Math.max(smallestPlaintext, padme(headBytes + length))) {
    throw malformed('The length of a body is another than its content asks for.')
  }
  const content = reader.bytes(length)
  reader.zeros(reader.left)
  if (form === 0) return { content }
  if (form !== 1) throw malformed('The form of a body is unknown.')
  const added = new Set(clear.packs.map(({ pack }) => pack))
  return { references: readReferences(content, added, clear.kind === 'change' ? maxChangeBytes : Infinity) }
}

function readReferences(content: Bytes, added: ReadonlySet<string>, limit: number): Reference[] {
  const reader = new Reader(content)
  const size = Number(reader.u64())
  if (size <= maxContent || size > limit) throw malformed('The size of a stored body is out of range.')
  const count = Math.ceil(size / chunkBytes)
  if (reader.left !== count * referenceBytes) throw malformed('A stored body has another number of chunks.')
  return reader.list(count, () => {
    const pack = toHex(reader.bytes(idBytes))
    if (!added.has(pack)) throw malformed('A body is stored in a pack that its entry does not add.')
    const [position, offset] = [reader.u32(), reader.u32()]
    const isLast = reader.left === hashBytes
    const length = isLast ? size - (count - 1) * chunkBytes : chunkBytes
    return { pack, position, offset, id: reader.bytes(hashBytes), length }
  })
}
