import { toHex } from '../binary'

/** What must fail, and with which error. */
export type MustFail = { group: string; name: string; error: string; isSlow?: boolean; read: () => unknown }

export function same(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [write(actual), write(expected)]
  if (left !== right) throw new Error(`${what}: ${right.slice(0, 300)} expected, ${left.slice(0, 300)} found`)
}

function write(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    // Not instanceof: a test's window may have classes of its own.
    if (ArrayBuffer.isView(each)) return toHex(new Uint8Array(each.buffer, each.byteOffset, each.byteLength))
    return typeof each === 'bigint' ? String(each) : each
  })
}
