import { type Bytes } from '@/crypto/bytes'

/*
 * The code of RAID 6 in GF(256) with the polynomial 0x11d: the first parity is the XOR of the data shards, the second
 * Σ 2ⁱ · (data shard i).
 */

const exponents = new Uint8Array(510)
const logarithms = new Uint8Array(256)
for (let power = 0, value = 1; power < 255; power += 1) {
  exponents[power] = value
  exponents[power + 255] = value
  logarithms[value] = power
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0)
}

function powerOfTwo(index: number): number {
  return exponents[index % 255] ?? 0
}

function inverse(value: number): number {
  return exponents[255 - (logarithms[value] ?? 0)] ?? 0
}

function multiply(left: number, right: number): number {
  if (left === 0 || right === 0) return 0
  return exponents[(logarithms[left] ?? 0) + (logarithms[right] ?? 0)] ?? 0
}

/** Adds `factor · source` to `target`. */
function addScaled(target: Bytes, source: Bytes, factor: number): void {
  if (factor === 1) {
    addPlain(target, source)
    return
  }
  const table = Uint8Array.from({ length: 256 }, (_, value) => multiply(value, factor))
  for (let at = 0; at < target.length; at += 1) target[at] = (target[at] ?? 0) ^ (table[source[at] ?? 0] ?? 0)
}

function addPlain(target: Bytes, source: Bytes): void {
  const isAligned = target.byteOffset % 4 === 0 && source.byteOffset % 4 === 0
  const words = isAligned ? target.length >> 2 : 0
  const to = new Uint32Array(target.buffer, isAligned ? target.byteOffset : 0, words)
  const from = new Uint32Array(source.buffer, isAligned ? source.byteOffset : 0, words)
  for (let at = 0; at < words; at += 1) to[at] = (to[at] ?? 0) ^ (from[at] ?? 0)
  for (let at = words * 4; at < target.length; at += 1) target[at] = (target[at] ?? 0) ^ (source[at] ?? 0)
}

function scale(target: Bytes, factor: number): void {
  if (factor === 1) return
  const table = Uint8Array.from({ length: 256 }, (_, value) => multiply(value, factor))
  for (let at = 0; at < target.length; at += 1) target[at] = table[target[at] ?? 0] ?? 0
}

/** One parity of the data shards: 0 the first, 1 the second. */
export function parityOf(data: readonly Bytes[], parity: number): Bytes {
  const sum = new Uint8Array(data[0]?.length ?? 0)
  for (const [index, shard] of data.entries()) addScaled(sum, shard, parity === 0 ? 1 : powerOfTwo(index))
  return sum
}

/** The k data shards from k shards with different indexes. */
export function rebuildData(shards: ReadonlyMap<number, Bytes>, k: number): Bytes[] {
  const data = Array.from({ length: k }, (_, index) => shards.get(index) ?? null)
  const missing = [...data.keys()].filter((index) => data[index] === null)
  const present = data.filter((shard) => shard !== null)
  const zeros = new Uint8Array(present[0]?.length ?? [...shards.values()][0]?.length ?? 0)
  const sumWith = (parity: number): Bytes => {
    const sum = parityOf(
      data.map((shard) => shard ?? zeros),
      parity,
    )
    addPlain(sum, shards.get(k + parity) ?? zeros)
    return sum
  }
  const [first = 0, second] = missing
  if (second !== undefined) {
    // What is left: P = a + b and Q = 2^first · a + 2^second · b.
    const both = sumWith(0)
    const one = sumWith(1)
    addScaled(one, both, powerOfTwo(second))
    scale(one, inverse(powerOfTwo(first) ^ powerOfTwo(second)))
    addPlain(both, one)
    data[first] = one
    data[second] = both
  } else if (missing.length === 1) {
    const parity = shards.has(k) ? 0 : 1
    const sum = sumWith(parity)
    if (parity === 1) scale(sum, inverse(powerOfTwo(first)))
    data[first] = sum
  }
  return data.map((shard) => shard ?? zeros)
}
