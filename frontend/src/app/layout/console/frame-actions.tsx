import { lazy, Suspense, useState, type ComponentType } from 'react'
import type { User } from '@/api/session'
import { CompanyIcon, DevicesIcon, KeyIcon, PersonIcon, ShieldIcon } from '@/components/icons'
import type { ScreenIcon } from './screens'

type FrameDialogProps = { open: boolean; onClose: () => void }

/** An entry of a toolbar menu that opens a dialog of some feature. Search offers it too. */
export type FrameAction = {
  id: string
  /** Key in the console's texts, such as `companyActions.edit`. */
  labelKey: string
  Icon: ScreenIcon
  /** Left out: for everybody who is signed in. */
  permission?: string
  /** May be `lazy(...)`: it is mounted inside a Suspense boundary when first opened. */
  Dialog: ComponentType<FrameDialogProps>
}

export function actionsOf(user: User, actions: readonly FrameAction[]): FrameAction[] {
  return actions.filter(({ permission }) => !permission || user.permissions.includes(permission))
}

/** What the company badge in the toolbar opens, in this order. */
export const companyActions: FrameAction[] = [
  {
    id: 'editCompany',
    labelKey: 'companyActions.edit',
    Icon: CompanyIcon,
    permission: 'company:edit',
    Dialog: lazy(() => import('@/features/companies/EditCompanyDialog')),
  },
  {
    id: 'passphrase',
    labelKey: 'companyActions.passphrase',
    Icon: KeyIcon,
    permission: 'passphrase:manage',
    Dialog: lazy(() => import('@/features/companies/PassphraseDialog')),
  },
]

/** What the user menu opens above Download, Settings and Log out, in this order. */
export const userActions: FrameAction[] = [
  {
    id: 'profile',
    labelKey: 'userActions.profile',
    Icon: PersonIcon,
    Dialog: lazy(() => import('@/features/auth/ProfileDialog')),
  },
  {
    id: 'changePassword',
    labelKey: 'userActions.changePassword',
    Icon: KeyIcon,
    Dialog: lazy(() => import('@/features/auth/ChangePasswordDialog')),
  },
  {
    id: 'secondStep',
    labelKey: 'userActions.secondStep',
    Icon: ShieldIcon,
    Dialog: lazy(() => import('@/features/auth/TwoFactorDialog')),
  },
  {
    id: 'sessions',
    labelKey: 'userActions.sessions',
    Icon: DevicesIcon,
    Dialog: lazy(() => import('@/features/auth/SessionsDialog')),
  },
]

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
