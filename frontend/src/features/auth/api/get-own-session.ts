import { api, dataOf } from '@/api/client'

/** Who is signed in, with the sealed key. Also the cheapest way to keep the session alive. */
export function getOwnSession() {
  return dataOf(api.GET('/api/auth/login-token'))
}
