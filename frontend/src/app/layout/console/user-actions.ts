import KeyOutlined from '@mui/icons-material/KeyOutlined'
import PersonOutlined from '@mui/icons-material/PersonOutlined'
import { lazy } from 'react'
import type { FrameAction } from './frame-action'

/** What the user menu opens above Download, Settings and Log out, in this order. */
export const userActions: FrameAction[] = [
  {
    id: 'profile',
    labelKey: 'userActions.profile',
    Icon: PersonOutlined,
    Dialog: lazy(() => import('@/features/auth/ProfileDialog')),
  },
  {
    id: 'changePassword',
    labelKey: 'userActions.changePassword',
    Icon: KeyOutlined,
    Dialog: lazy(() => import('@/features/auth/ChangePasswordDialog')),
  },
]
