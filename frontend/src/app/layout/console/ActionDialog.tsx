import { lazy, Suspense, type ComponentType } from 'react'
import type { FrameAction } from './frame-actions'

type DialogProps = { onClose: () => void }

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

type ActionDialogProps = { action: FrameAction; onClose: () => void }

/** The dialog of the chosen action. */
export default function ActionDialog({ action, onClose }: ActionDialogProps) {
  const Dialog = dialogs[action.id]
  return (
    <Suspense fallback={null}>
      <Dialog onClose={onClose} />
    </Suspense>
  )
}
