import { fromBase64url, toBase64url, type Bytes } from '@/crypto/bytes'
import { ShareError, type Reason } from './errors'

const reasons: Partial<Record<string, Reason>> = {
  share_not_found: 'unknown',
  not_found: 'unknown',
  share_expired: 'expired',
  share_used: 'used',
  share_ended: 'ended',
  share_guessed: 'guessed',
  share_token_wrong: 'wrongLink',
  share_ticket_expired: 'late',
  share_transfer_reached: 'busy',
  piece_unavailable: 'clouds',
  pack_not_found: 'clouds',
}
const states: Partial<Record<string, Reason>> = { expired: 'expired', used: 'used', ended: 'ended', guessed: 'guessed' }
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type FoundShare = { company: string; salt: Bytes }
export type OpenedShare = { manifest: Bytes; ticket: string; downloadsLeft: number }
export type PieceLink = { index: number; cloud: string; url: string; headers: Record<string, string> }

/** The calls of a share. Whatever answers is not believed: see each reader. */
export class ShareService {
  constructor(readonly share: string) {}

  async find(): Promise<FoundShare> {
    const { company, salt, state } = await this.#json<{ company?: unknown; salt?: unknown; state?: unknown }>('')
    const ended = states[String(state)]
    if (ended) throw new ShareError(ended)
    const bytes = typeof salt === 'string' ? fromBase64url(salt) : null
    if (typeof company !== 'string' || !uuid.test(company) || bytes?.length !== 16) throw new ShareError('service')
    return { company, salt: bytes }
  }

  /** Counts as a download. */
  async open(token: Bytes): Promise<OpenedShare> {
    type Answer = { manifest?: unknown; ticket?: unknown; downloadsLeft?: unknown }
    const { manifest, ticket, downloadsLeft } = await this.#json<Answer>('/open', { token: toBase64url(token) })
    const sealed = typeof manifest === 'string' ? fromBase64url(manifest) : null
    if (!sealed || typeof ticket !== 'string') throw new ShareError('service')
    return { manifest: sealed, ticket, downloadsLeft: Number.isInteger(downloadsLeft) ? Number(downloadsLeft) : 0 }
  }

  /** Where the pieces of packs are, by the pack's id in base64url. */
  async links(ticket: string, packs: readonly string[]): Promise<Map<string, PieceLink[]>> {
    const answer = await this.#json<{ packs?: unknown }>('/links', { ticket, packs })
    const found = new Map<string, PieceLink[]>()
    for (const each of listOf(answer.packs)) {
      const { id, shards } = each as { id?: unknown; shards?: unknown }
      if (typeof id === 'string') found.set(id, listOf(shards).flatMap(readPieceLink))
    }
    return found
  }

  /** A piece through the service, for clouds whose rules keep browsers out. */
  piece(ticket: string, pack: string, index: number, signal: AbortSignal): Promise<Response> {
    return this.#call('/piece', { ticket, pack, index }, signal)
  }

  async #json<Answer>(path: string, body?: object): Promise<Partial<Answer>> {
    const answer = await this.#call(path, body)
    const read: unknown = await answer.json().catch(() => null)
    if (typeof read !== 'object' || read === null) throw new ShareError('service')
    return read
  }

  async #call(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const request: RequestInit = { credentials: 'omit', cache: 'no-store', redirect: 'error' }
    if (signal) request.signal = signal
    if (body) {
      request.method = 'POST'
      request.headers = { 'Content-Type': 'application/json' }
      request.body = JSON.stringify(body)
    }
    let answer: Response
    try {
      answer = await fetch(`/api/shares/${this.share}${path}`, request)
    } catch {
      throw new ShareError(signal?.aborted ? 'clouds' : 'offline')
    }
    if (answer.ok) return answer
    const error: unknown = await answer.json().catch(() => null)
    const code = (error as { code?: unknown } | null)?.code
    throw new ShareError(reasons[String(code)] ?? (answer.status === 429 ? 'tooMany' : 'service'))
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []
}

function readPieceLink(shard: unknown): PieceLink[] {
  const { index, warehouseId, link } = shard as { index?: unknown; warehouseId?: unknown; link?: unknown }
  const { url, headers, method } = (link ?? {}) as { url?: unknown; headers?: unknown; method?: unknown }
  if (!Number.isInteger(index)) return []
  const isDirect = typeof url === 'string' && method === 'GET' && /^https?:\/\//.test(url)
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const)
  const cloud = String(warehouseId)
  return [{ index: Number(index), cloud, url: isDirect ? url : '', headers: Object.fromEntries(given) }]
}
