import { lazy } from 'react'
import { DevicesIcon, KeyIcon, PersonIcon, ShieldIcon } from '@/components/icons'
import type { FrameAction } from './frame-action'

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
