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

/** Stands beside a page and runs once that page is in the document: says where one is (focus on the heading,
 *  for screen readers and keyboards) and brings Back to the place one left. */
export function RouteFocus() {
  const { pathname, hash, key: given } = useLocation()
  // Every page that is opened afresh has the same key: its address tells it apart.
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

/** Notes how far down a place in the history was scrolled, until the answered function is called. What was read
 *  before a sign-out is not noted: the next user of the tab may be another one. */
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
      // Without storage Back begins at the top.
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
