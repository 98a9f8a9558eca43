import createClient, { type Middleware } from 'openapi-fetch'
import { currentLanguage } from '@/i18n/i18n'
import { ApiError, toApiError } from './errors'
import { sessionStore, storedToken } from './session'
import type { paths } from './types.generated'

const carrySession: Middleware = {
  onRequest({ request }) {
    const token = storedToken()
    if (token) request.headers.set('Authorization', `Bearer ${token}`)
    request.headers.set('Accept-Language', currentLanguage())
  },
  async onResponse({ request, response }) {
    if (response.ok) return
    const sent = request.headers.get('Authorization')
    // Only the session that was refused ends: a late answer must not end the one that came after it.
    if (response.status === 401 && sent && sent === `Bearer ${storedToken() ?? ''}`) sessionStore.signOut('expired')
    throw await toApiError(response)
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return error
    return new ApiError({ status: 0, code: 'network', message: '' })
  },
}

/** Typed by the server's own description. A call that fails throws an ApiError. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: (request) => fetch(request) })
api.use(carrySession)

/** `await dataOf(api.GET(...))`: the body of a successful answer. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  return data as T
}
