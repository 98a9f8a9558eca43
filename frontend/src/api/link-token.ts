type LinkToken = { path: string; token: string }

let kept: LinkToken | null = null

/** Takes `?token=` out of the address bar before anything else runs, so that it stays out of history,
 *  screenshots and referrers. Kept in memory only: a reload needs the mailed link again. */
export function captureLinkToken(): void {
  const url = new URL(window.location.href)
  const token = url.searchParams.get('token')
  if (token === null) return
  kept = { path: url.pathname, token }
  url.searchParams.delete('token')
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`)
}

/** The token that the link to the given path carried, or null. It can be asked for again while the page lives. */
export function takeLinkToken(path: string = window.location.pathname): string | null {
  return kept?.path === path && kept.token !== '' ? kept.token : null
}
