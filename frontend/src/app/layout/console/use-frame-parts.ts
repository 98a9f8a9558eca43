import { useState } from 'react'
import type { FrameAction } from './frame-actions'

export type FramePart = 'menu' | 'search' | 'settings' | 'quick'

/** Which drawer or dialog of the frame is open: one at a time. */
export function useFrameParts() {
  const [part, setPart] = useState<FramePart | null>(null)
  const [used, setUsed] = useState(false)
  const [action, setAction] = useState<FrameAction | null>(null)

  function show(next: FramePart) {
    setUsed(true)
    setPart(next)
  }

  return {
    part,
    action,
    /** Whether anything has been opened yet. */
    used,
    show,
    toggleSearch: () => (part === 'search' ? setPart(null) : show('search')),
    close: () => setPart(null),
    run: (next: FrameAction) => {
      setPart(null)
      setAction(next)
    },
    endAction: () => setAction(null),
  }
}
