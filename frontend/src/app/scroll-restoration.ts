const storageKey = 'tessera.scroll'

function read(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

/** Notes how far down a place in the history was scrolled, until the answered function is called. */
export function saveScrollPosition(key: string): () => void {
  let at = window.scrollY
  const follow = () => {
    at = window.scrollY
  }
  const save = () => {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ ...read(), [key]: at }))
    } catch {
      // Without storage Back begins at the top.
    }
  }
  window.addEventListener('scroll', follow, { passive: true })
  window.addEventListener('pagehide', save)
  return () => {
    window.removeEventListener('scroll', follow)
    window.removeEventListener('pagehide', save)
    save()
  }
}

export function restoreScrollPosition(key: string): boolean {
  const at = read()[key]
  if (at === undefined) return false
  window.scrollTo(0, at)
  return true
}
