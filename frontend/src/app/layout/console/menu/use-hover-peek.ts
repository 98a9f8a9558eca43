import { type PointerEvent, useEffect, useRef, useState } from 'react'

export const HOVER_DELAY_MS = 150

/**
 * Opens something while the mouse rests on it. A finger also makes pointer
 * events but never "leaves", so only the mouse counts.
 */
export function useHoverPeek(enabled: boolean) {
  const [peeking, setPeeking] = useState(false)
  const timer = useRef<number | undefined>(undefined)

  function stop() {
    window.clearTimeout(timer.current)
    setPeeking(false)
  }

  useEffect(() => () => window.clearTimeout(timer.current), [])

  const open = enabled && peeking
  useEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPeeking(false)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open])

  return {
    peeking: open,
    stop,
    handlers: {
      onPointerEnter(event: PointerEvent) {
        if (!enabled || event.pointerType !== 'mouse') return
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(() => setPeeking(true), HOVER_DELAY_MS)
      },
      onPointerLeave: stop,
    },
  }
}
