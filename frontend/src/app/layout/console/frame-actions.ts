import type { User } from '@/api/session'
import { CompanyIcon } from '@/components/icons/CompanyIcon'
import { DevicesIcon } from '@/components/icons/DevicesIcon'
import { KeyIcon } from '@/components/icons/KeyIcon'
import { PersonIcon } from '@/components/icons/PersonIcon'
import { ShieldIcon } from '@/components/icons/ShieldIcon'
import type { Icon } from '@/components/icons/create-icon'

/** An entry of a toolbar menu that opens a dialog of some feature. Search offers it too. */
export type FrameAction = {
  id: 'editCompany' | 'passphrase' | 'keyHolder' | 'heldKey' | 'profile' | 'changePassword' | 'twoFactor' | 'sessions'
  /** Key in the console's texts, such as `companyActions.edit`. */
  labelKey: string
  Icon: Icon
  /** Left out: for everybody who is signed in. */
  permission?: string
  /** For the second key holder alone. */
  forKeyHolder?: true
}

export function actionsOf(user: User, actions: readonly FrameAction[]): FrameAction[] {
  return actions.filter(
    ({ permission, forKeyHolder }) =>
      (!permission || user.permissions.includes(permission)) && (!forKeyHolder || user.isKeyHolder),
  )
}

/** What the company badge in the toolbar opens, in this order. */
export const companyActions: FrameAction[] = [
  {
    id: 'editCompany',
    labelKey: 'companyActions.edit',
    Icon: CompanyIcon,
    permission: 'company:edit',
  },
  {
    id: 'passphrase',
    labelKey: 'companyActions.passphrase',
    Icon: KeyIcon,
    permission: 'passphrase:manage',
  },
  {
    id: 'keyHolder',
    labelKey: 'companyActions.keyHolder',
    Icon: ShieldIcon,
    permission: 'passphrase:manage',
  },
]

/** What the user menu opens above Download, Settings and Log out, in this order. */
export const userActions: FrameAction[] = [
  {
    id: 'profile',
    labelKey: 'userActions.profile',
    Icon: PersonIcon,
  },
  {
    id: 'heldKey',
    labelKey: 'userActions.heldKey',
    Icon: ShieldIcon,
    permission: 'key:hold',
    forKeyHolder: true,
  },
  {
    id: 'changePassword',
    labelKey: 'userActions.changePassword',
    Icon: KeyIcon,
  },
  {
    id: 'twoFactor',
    labelKey: 'userActions.twoFactor',
    Icon: ShieldIcon,
  },
  {
    id: 'sessions',
    labelKey: 'userActions.sessions',
    Icon: DevicesIcon,
  },
]
