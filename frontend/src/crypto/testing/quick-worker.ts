import { concat, fromBase64url, toBase64url } from '../bytes'
import type { DeriveAnswer, DeriveRequest } from '../derive.worker'
import type { WordsAnswer, WordsRequest } from '../words.worker'
import { importKey } from '../jwe'
import { knownAnswer } from '../self-test'

/**
 * Stands in for the browser's worker, which neither Node nor jsdom has, and for the slow
 * derivation: `vi.stubGlobal('Worker', QuickWorker)`. Right for the known answer, so that the
 * self-test passes; for everything else a hash that takes no time.
 */
export class QuickWorker {
  static started = 0
  static ended = 0
  onmessage: ((event: { data: DeriveAnswer | WordsAnswer }) => void) | null = null
  onerror: (() => void) | null = null
  onmessageerror: (() => void) | null = null

  constructor() {
    QuickWorker.started += 1
  }

  postMessage(request: DeriveRequest | WordsRequest): void {
    const answer = 'password' in request ? quickly(request) : quickWords(request)
    void answer.then((data) => this.onmessage?.({ data }))
  }

  terminate(): void {
    QuickWorker.ended += 1
  }
}

async function quickWords({ secret, salt }: WordsRequest): Promise<WordsAnswer> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(secret, salt)))
}

async function quickly({ password, salt }: DeriveRequest): Promise<DeriveAnswer> {
  const text = `${new TextDecoder().decode(password)} ${toBase64url(salt)}`
  if (text === `${knownAnswer.password} ${knownAnswer.salt}`) {
    const known = fromBase64url(knownAnswer.wrapKey)
    return known && { auth: knownAnswer.auth, wrapKey: await importKey(known) }
  }
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return { auth: `a1.${toBase64url(hash)}`, wrapKey: await importKey(hash) }
}
