import { api, dataOf } from '@/api/client'
import { ApiError } from '@/api/errors'

export type Invite = { email: string; companyName: string; companyUuid: string }
export type InviteLink = ({ state: 'open' | 'expired' | 'cancelled' | 'used' } & Invite) | { state: 'unknown' }

export async function getInvite(token: string): Promise<InviteLink> {
  try {
    const { email_address: email, ...invite } = await dataOf(
      api.GET('/api/auth/invite', { params: { query: { token } } }),
    )
    return { ...invite, email }
  } catch (error) {
    // 422: a text that could not be a token at all, such as half a link.
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return { state: 'unknown' }
    throw error
  }
}
