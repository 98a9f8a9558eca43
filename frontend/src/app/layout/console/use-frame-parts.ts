import { useState } from 'react'
import type { FrameAction } from './frame-actions'

export type FramePart = 'menu' | 'search' | 'settings' | 'quick'

/** Which drawer or dialog of the frame is open: one at a time. */
export function useFrameParts() {
  const [part, setPart] = useState<FramePart | null>(null)
  const [action, setAction] = useState<FrameAction | null>(null)
  return {
    part,
    action,
    show: setPart,
    toggleSearch: () => setPart(part === 'search' ? null : 'search'),
    close: () => setPart(null),
    run: (next: FrameAction) => {
      setPart(null)
      setAction(next)
    },
    endAction: () => setAction(null),
  }
}
