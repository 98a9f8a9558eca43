import { words } from './bip39-english'
import { concat, toUtf8 } from './bytes'
import { DerivationUnavailableError } from './errors'
import { uuidBytes, type Ids } from './headers'
import type { PublicKeys } from './member-keys'
import type { WordsAnswer, WordsRequest } from './words.worker'

export const wordCount = 6

const label = 'tessera/v1/words'
const bitsOfWord = 11n

/** A typed word that is not in the list, or another number of words than six. */
export class WordsError extends Error {
  constructor() {
    super('Six words of the list are expected.')
    this.name = 'WordsError'
  }
}

/**
 * Six words that stand for a member's public keys, to be compared by voice. Slow on purpose: 66 bits suffice because
 * each guess costs an Argon2id.
 */
export async function wordsFor(keys: PublicKeys, { uid, cid }: Ids): Promise<string> {
  const secret = concat(toUtf8(label), keys.encoded)
  return wordsOf(await stretch({ secret, salt: concat(uuidBytes(cid), uuidBytes(uid)) }))
}

/** The first 66 bits of a digest as words. */
export function wordsOf(digest: Uint8Array): string {
  const bits = digest.subarray(0, 9).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) >> 6n
  const numbers = Array.from({ length: wordCount }, (_, index) =>
    Number((bits >> (bitsOfWord * BigInt(wordCount - 1 - index))) & 0x7ffn),
  )
  return numbers.map((number) => words[number]).join(' ')
}

/** Reads typed words; four letters are enough for each. */
export function normaliseWords(text: string): string {
  const typed = text.toLowerCase().replaceAll('-', ' ').trim().split(/\s+/)
  const found = typed.map((word) => words.find((known) => word === known || word === known.slice(0, 4)))
  if (found.length !== wordCount || found.includes(undefined)) throw new WordsError()
  return found.join(' ')
}

function stretch(request: WordsRequest): Promise<Uint8Array> {
  const worker = new Worker(new URL('./words.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Uint8Array>((resolve, reject) => {
    const fail = (): void => reject(new DerivationUnavailableError())
    worker.onmessage = ({ data }: MessageEvent<WordsAnswer>) => (data ? resolve(data) : fail())
    worker.onmessageerror = fail
    worker.onerror = fail
    worker.postMessage(request)
  }).finally(() => worker.terminate())
}
