import { useEffect } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { replayEarlyInput } from '@/lib/hydration-replay'
import { restoreScrollPosition, saveScrollPosition } from './scroll-restoration'

let lastPath = window.location.pathname

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
