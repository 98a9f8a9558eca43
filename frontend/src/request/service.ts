import { fromBase64url, toBase64url, type Bytes } from '@/crypto/bytes'
import { RequestError, type Reason } from './errors'
import type { Coding, Piece } from './sealing'

const reasons: Partial<Record<string, Reason>> = {
  request_not_found: 'unknown',
  not_found: 'unknown',
  request_expired: 'expired',
  request_ended: 'ended',
  request_token_wrong: 'wrongLink',
  request_full: 'full',
  too_many_arrivals: 'full',
  request_transfer_reached: 'busy',
  piece_unavailable: 'clouds',
}
const states: Partial<Record<string, Reason>> = { expired: 'expired', ended: 'ended', superseded: 'ended' }
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const fewestClouds = 3
const mostClouds = 16

export type FoundRequest = { company: string; publicKeys: Bytes }
export type OpenedRequest = { details: Bytes; expiresAt: bigint; bytesLeft: number; coding: Coding }

/** The calls of a request. Whatever answers is not believed. */
export class RequestService {
  /** `token` is the access token in base64url. */
  constructor(
    readonly request: string,
    readonly token: string,
  ) {}

  async find(): Promise<FoundRequest> {
    const { company, publicKeys, state } = await this.#json('')
    const ended = states[String(state)]
    if (ended) throw new RequestError(ended)
    const keys = typeof publicKeys === 'string' ? fromBase64url(publicKeys) : null
    if (typeof company !== 'string' || !uuid.test(company) || !keys) throw new RequestError('service')
    return { company, publicKeys: keys }
  }

  async open(): Promise<OpenedRequest> {
    const { details, expiresAt, bytesLeft, k, n } = await this.#json('/open', {})
    const sealed = typeof details === 'string' ? fromBase64url(details) : null
    const expires = Date.parse(String(expiresAt))
    if (!sealed || Number.isNaN(expires) || !isSize(bytesLeft)) throw new RequestError('service')
    return { details: sealed, expiresAt: BigInt(expires), bytesLeft, coding: checkedCoding(k, n) }
  }

  /** Announces a pack; repeating it changes nothing. Answers which pieces are missing. */
  async announce(upload: string, id: Bytes, length: number, coding: Coding, pieces: readonly Piece[]) {
    const shards = pieces.map(({ index, content, hash }) => {
      return { index, size: content.length, sha256: toBase64url(hash) }
    })
    const pack = { id: toBase64url(id), generation: 0, ...coding, length, shards }
    const { packs } = await this.#json('/packs', { arrivalId: upload, packs: [pack] })
    const missing = new Set(listOf(packs).flatMap((each) => (each as { missing?: unknown[] }).missing ?? []))
    return pieces.filter(({ index }) => missing.has(index))
  }

  async send(id: Bytes, { index, content }: Piece, signal: AbortSignal): Promise<void> {
    const headers = { 'Content-Type': 'application/octet-stream', 'Tessera-Upload-Token': this.token }
    const path = `pieces/${this.request}/${toBase64url(id)}/${index}`
    await call(path, { method: 'POST', headers, body: content, signal })
  }

  async finish(upload: string, uploadKey: Bytes, manifest: Bytes): Promise<void> {
    const body = { id: upload, uploadKey: toBase64url(uploadKey), manifest: toBase64url(manifest) }
    await call(`${this.request}/arrivals`, this.#post(body))
  }

  #post(body: object): RequestInit {
    const headers = { 'Content-Type': 'application/json' }
    return { method: 'POST', headers, body: JSON.stringify({ token: this.token, ...body }) }
  }

  async #json(path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await call(`${this.request}${path}`, body ? this.#post(body) : {})
    const read: unknown = await answer.json().catch(() => null)
    if (typeof read !== 'object' || read === null) throw new RequestError('service')
    return read as Record<string, unknown>
  }
}

async function call(path: string, init: RequestInit): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(`/api/requests/${path}`, {
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      ...init,
    })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new RequestError('offline')
  }
  if (answer.ok) return answer
  const error: unknown = await answer.json().catch(() => null)
  const code = (error as { code?: unknown } | null)?.code
  throw new RequestError(reasons[String(code)] ?? (answer.status === 429 ? 'tooMany' : 'service'))
}

/** A service that asks for another code would have less survive than was promised. */
function checkedCoding(k: unknown, n: unknown): Coding {
  if (!isSize(k) || !isSize(n) || n < fewestClouds || n > mostClouds || k !== (n < 5 ? n - 1 : n - 2)) {
    throw new RequestError('service')
  }
  return { k, n }
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []
}
