import { type Bytes } from '@/crypto/bytes'
import { uuidText } from '@/crypto/headers'
import { malformed } from './errors'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads big-endian fields one after the other; refuses bytes that end too early or too late. */
export class Reader {
  readonly #data: Bytes
  readonly #view: DataView
  #at = 0

  constructor(data: Bytes) {
    this.#data = data
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  }

  get left(): number {
    return this.#data.length - this.#at
  }

  /** A view, not a copy. */
  bytes(size: number): Bytes {
    return this.#data.subarray(this.#step(size), this.#at)
  }

  u8(): number {
    return this.#view.getUint8(this.#step(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#step(2))
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4))
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#step(8))
  }

  /** A sequence or base. Numbers over 2⁵³ are rounded: they equal no sequence that a log can have. */
  sequence(): number {
    return Number(this.u64())
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#step(8))
  }

  uuid(): string {
    return uuidText(this.bytes(16))
  }

  text(maxBytes: number, minBytes = 1): string {
    const size = this.u16()
    if (size < minBytes || size > maxBytes) throw malformed('A text has another length than allowed.')
    return decodeUtf8(this.bytes(size))
  }

  /** A number of items that follow, each of at least so many bytes. */
  count(announced: number, smallestItem: number): number {
    if (announced * smallestItem > this.left) throw malformed('More items are announced than there are bytes.')
    return announced
  }

  /** Reads so many items. */
  list<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read)
  }

  zeros(size: number): void {
    if (this.bytes(size).some((byte) => byte !== 0)) throw malformed('Reserved bytes or padding are not zero.')
  }

  end(): void {
    if (this.left > 0) throw malformed('Bytes follow the end.')
  }

  #step(size: number): number {
    const start = this.#at
    if (size > this.#data.length - start) throw malformed('The bytes end too early.')
    this.#at = start + size
    return start
  }
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed('A text is not UTF-8.')
  }
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hexDigits[byte] ?? ''
  return text
}

export function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

/** The order of two texts by their UTF-8 bytes, which is that of their code points and not of UTF-16. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at += 1) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Surrogates stand for characters behind all those of one unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** Gives memory back now, which garbage collection would do much later. The bytes are gone for everybody. */
export function release(...parts: readonly Bytes[]): void {
  structuredClone(null, { transfer: [...new Set(parts.map(({ buffer }) => buffer))] })
}
