import type { Returned } from './api'

/** What the provider put into the address: its answer, or that there is none. */
export type Answer = Returned | 'refused' | null

/** Takes it out of the address bar, so that it stays out of history and screenshots. */
export function takeAnswer(): Answer {
  const { search, pathname, hash } = window.location
  if (search === '') return null
  const query = new URLSearchParams(search)
  if (query.has('client') || query.has('device')) return null
  window.history.replaceState(window.history.state, '', `${pathname}${hash}`)
  const provider = providerOf(pathname)
  const code = query.get('code')
  const state = query.get('state')
  if (provider && code && state) return { provider, code, state, issuer: query.get('iss') }
  return query.has('error') ? 'refused' : null
}

/** Each provider has an address of its own, so that the answer of one does not pass for another's. */
function providerOf(pathname: string): string | undefined {
  return /^\/login\/company\/([\da-f-]{36})\/?$/i.exec(pathname)?.[1]
}
