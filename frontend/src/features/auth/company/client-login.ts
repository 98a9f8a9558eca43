/** A login of the client program that asks for a confirmation here. Without a handle the person types the code that
 *  the program shows, on whichever computer. */
export type ClientLogin = { handle: string | null; email: string }

const storageKey = 'tessera.clientLogin'

/** From the address that the program opened or showed, and again when the provider sends the browser back. Nothing in
 *  it is secret, so it stays in the address bar and a reload finds it. */
export function findClientLogin(): ClientLogin | null {
  const query = new URLSearchParams(window.location.search)
  const handle = query.get('client')
  if (handle || query.has('device')) {
    const found = { handle, email: query.get('email') ?? '' }
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(found))
    } catch {
      // Without storage the login ends as one of the browser.
    }
    return found
  }
  if (query.has('state')) return read()
  forgetClientLogin()
  return null
}

export function forgetClientLogin(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // There was none.
  }
}

function read(): ClientLogin | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Partial<ClientLogin> | null
    if (!stored) return null
    const handle = typeof stored.handle === 'string' ? stored.handle : null
    return { handle, email: typeof stored.email === 'string' ? stored.email : '' }
  } catch {
    return null
  }
}
