import { lazy, Suspense, useState, type ComponentType } from 'react'
import type { FrameAction } from './frame-actions'

type DialogProps = { open: boolean; onClose: () => void }

const dialogs: Record<FrameAction['id'], ComponentType<DialogProps>> = {
  editCompany: lazy(() => import('@/features/companies/EditCompanyDialog')),
  passphrase: lazy(() => import('@/features/companies/PassphraseDialog')),
  keyHolder: lazy(() => import('@/features/companies/KeyHolderDialog')),
  heldKey: lazy(() => import('@/features/companies/HeldKeyDialog')),
  profile: lazy(() => import('@/features/auth/ProfileDialog')),
  changePassword: lazy(() => import('@/features/auth/ChangePasswordDialog')),
  twoFactor: lazy(() => import('@/features/auth/TwoFactorDialog')),
  sessions: lazy(() => import('@/features/auth/SessionsDialog')),
}

type ActionDialogProps = { action: FrameAction | null; onClose: () => void }

/** The dialog of the last chosen action: it stays mounted while it closes, so that it can fade out. */
export default function ActionDialog({ action, onClose }: ActionDialogProps) {
  const [last, setLast] = useState(action)
  if (action && action !== last) setLast(action)
  const shown = action ?? last
  if (!shown) return null
  const Dialog = dialogs[shown.id]
  return (
    <Suspense fallback={null}>
      <Dialog key={shown.id} open={action !== null} onClose={onClose} />
    </Suspense>
  )
}
