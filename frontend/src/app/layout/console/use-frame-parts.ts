import { useState } from 'react'
import type { FrameAction } from './frame-actions'

export type FramePart = 'menu' | 'search' | 'settings' | 'quick'

/** Which drawer or dialog of the frame is open: one at a time. */
export function useFrameParts() {
  const [part, setPart] = useState<FramePart | null>(null)
  const [used, setUsed] = useState(false)
  const [action, setAction] = useState<FrameAction | null>(null)
  const [acted, setActed] = useState(false)

  function show(next: FramePart) {
    setUsed(true)
    setPart(next)
  }

  return {
    part,
    action,
    /** Whether anything has been opened yet. */
    used,
    /** Whether any action has been started yet. */
    acted,
    show,
    toggleSearch: () => (part === 'search' ? setPart(null) : show('search')),
    close: () => setPart(null),
    run: (next: FrameAction) => {
      setPart(null)
      setActed(true)
      setAction(next)
    },
    endAction: () => setAction(null),
  }
}
