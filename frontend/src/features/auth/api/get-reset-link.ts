import { api, dataOf } from '@/api/client'
import { ApiError } from '@/api/errors'
import type { Ids } from '@/crypto/headers'

export type ResetLink = { state: 'open'; ids: Ids } | { state: 'expired' | 'used' | 'unknown' }

export async function getResetLink(token: string): Promise<ResetLink> {
  try {
    const { state, uid, cid } = await dataOf(api.GET('/api/auth/reset', { params: { query: { token } } }))
    if (state !== 'open') return { state }
    return uid && cid ? { state, ids: { uid, cid } } : { state: 'unknown' }
  } catch (error) {
    // 422: a text that could not be a token at all, such as half a link.
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return { state: 'unknown' }
    throw error
  }
}
