import { Suspense, useState } from 'react'
import type { FrameAction } from './frame-action'

type ActionDialogProps = { action: FrameAction | null; onClose: () => void }

/** The dialog of the last chosen action: it stays mounted while it closes, so that it can fade out. */
export function ActionDialog({ action, onClose }: ActionDialogProps) {
  const [last, setLast] = useState(action)
  if (action && action !== last) setLast(action)
  const shown = action ?? last
  if (!shown) return null
  return (
    <Suspense fallback={null}>
      <shown.Dialog key={shown.id} open={action !== null} onClose={onClose} />
    </Suspense>
  )
}
