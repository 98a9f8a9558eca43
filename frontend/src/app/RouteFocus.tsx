import { useEffect } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { onSignOut } from '@/api/session'
import { replayEarlyInput } from '@/lib/hydration-replay'

const storageKey = 'tessera.scroll'

let lastPath = window.location.pathname
let started = false

function focusHeading(): void {
  const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}

/** Rendered beside a page; once the page is in the document, focuses its heading for screen readers and keyboards,
 *  and restores the scroll position after Back. */
export function RouteFocus() {
  const { pathname, hash, key: given } = useLocation()
  // Directly opened pages all have the same history key, so the URL is part of this one.
  const key = given === 'default' ? `${pathname}${hash}` : given
  const kind = useNavigationType()

  useEffect(replayEarlyInput, [])

  useEffect(() => {
    // A page that came rendered can be scrolled before its scripts run: nothing moves under the pointer then.
    const alreadyScrolled = !started && window.scrollY > 0
    started = true
    if (alreadyScrolled) return saveScrollPosition(key)
    const changed = lastPath !== pathname
    lastPath = pathname
    const target = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
    if (kind === NavigationType.Pop && restoreScrollPosition(key)) return saveScrollPosition(key)
    if (target) target.scrollIntoView()
    else if (changed) window.scrollTo(0, 0)
    if (changed && !target) focusHeading()
    return saveScrollPosition(key)
  }, [pathname, hash, key, kind])

  return null
}

function read(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

/** Saves the scroll position of a history entry, unless the user signs out: the next user of the tab may be another
 *  one. Returns a function that stops it. */
function saveScrollPosition(key: string): () => void {
  let at = window.scrollY
  let ended = false
  const stopListening = onSignOut(() => {
    ended = true
  })
  const follow = () => {
    at = window.scrollY
  }
  const save = () => {
    if (ended) return
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ ...read(), [key]: at }))
    } catch {
      // Without storage, Back starts at the top.
    }
  }
  window.addEventListener('scroll', follow, { passive: true })
  window.addEventListener('pagehide', save)
  return () => {
    stopListening()
    window.removeEventListener('scroll', follow)
    window.removeEventListener('pagehide', save)
    save()
  }
}

function restoreScrollPosition(key: string): boolean {
  const at = read()[key]
  if (at === undefined) return false
  window.scrollTo(0, at)
  return true
}
