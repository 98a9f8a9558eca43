type LinkToken = { path: string; token: string }

/** Survive a reload; a link that confirms an address has to be opened again from its mail. */
const keptOver = ['/register', '/signup', '/reset-password']
const stateKey = 'linkToken'

let kept: LinkToken | null = null

/** Takes `?token=` out of the address bar before anything else runs, so that it stays out of history,
 *  screenshots and referrers. */
export function captureLinkToken(): void {
  const url = new URL(window.location.href)
  const state: unknown = window.history.state
  const token = url.searchParams.get('token')
  if (token === null) {
    const former: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, stateKey) : undefined
    if (typeof former === 'string') kept = { path: url.pathname, token: former }
    return
  }
  kept = { path: url.pathname, token }
  url.searchParams.delete('token')
  const next = keptOver.includes(url.pathname) ? { ...(state as object | null), [stateKey]: token } : state
  window.history.replaceState(next, '', `${url.pathname}${url.search}${url.hash}`)
}

/** The token that the link to the given path carried, or null. It stays available while the page is open. */
export function takeLinkToken(path: string = window.location.pathname): string | null {
  return kept?.path === path && kept.token !== '' ? kept.token : null
}
