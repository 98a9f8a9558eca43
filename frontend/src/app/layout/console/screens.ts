import BusinessOutlined from '@mui/icons-material/BusinessOutlined'
import CardMembershipOutlined from '@mui/icons-material/CardMembershipOutlined'
import CloudQueueOutlined from '@mui/icons-material/CloudQueueOutlined'
import DownloadOutlined from '@mui/icons-material/DownloadOutlined'
import GroupOutlined from '@mui/icons-material/GroupOutlined'
import HistoryOutlined from '@mui/icons-material/HistoryOutlined'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import type { ComponentType } from 'react'
import type { User } from '@/api/session'
import { HelpIcon } from './directional-icons'

export type ScreenIcon = ComponentType<SvgIconProps>

export type Screen = {
  /** Also its key under `screens` and `screenHints` in the console's texts. */
  id: string
  path: string
  Icon: ScreenIcon
  permission: string
  /** A wider permission that leads to another screen instead. */
  unless?: string
  needsSubscription?: boolean
  needsWarehouses?: boolean
  needsCompany?: boolean
  inMenu: boolean
}

const SCREENS: readonly Screen[] = [
  { id: 'companies', path: '/admin/companies', Icon: BusinessOutlined, permission: 'companies:manage', inMenu: true },
  {
    id: 'members',
    path: '/admin/members',
    Icon: GroupOutlined,
    permission: 'companies:manage',
    needsCompany: true,
    inMenu: true,
  },
  {
    id: 'teamMembers',
    path: '/team-members',
    Icon: GroupOutlined,
    permission: 'members:manage',
    needsSubscription: true,
    inMenu: true,
  },
  {
    id: 'warehouses',
    path: '/warehouses',
    Icon: CloudQueueOutlined,
    permission: 'warehouses:manage',
    needsSubscription: true,
    needsWarehouses: true,
    inMenu: true,
  },
  {
    id: 'subscription',
    path: '/subscription',
    Icon: CardMembershipOutlined,
    permission: 'subscription:manage',
    inMenu: true,
  },
  { id: 'activityAll', path: '/admin/activity', Icon: HistoryOutlined, permission: 'activity:readAll', inMenu: true },
  {
    id: 'activity',
    path: '/activity',
    Icon: HistoryOutlined,
    permission: 'activity:read',
    unless: 'activity:readAll',
    inMenu: true,
  },
  {
    id: 'help',
    path: '/faq',
    Icon: HelpIcon,
    permission: 'help:read',
    needsSubscription: true,
    inMenu: false,
  },
  {
    id: 'download',
    path: '/download',
    Icon: DownloadOutlined,
    permission: 'client:download',
    needsSubscription: true,
    inMenu: false,
  },
]

function isFor(user: User, screen: Screen): boolean {
  if (!user.permissions.includes(screen.permission)) return false
  if (screen.unless && user.permissions.includes(screen.unless)) return false
  if (screen.needsSubscription && !user.isSubscribed) return false
  return !screen.needsWarehouses || user.canViewWarehouse
}

export function screensOf(user: User): Screen[] {
  return SCREENS.filter((screen) => isFor(user, screen))
}

export function menuScreensOf(user: User): Screen[] {
  return screensOf(user).filter((screen) => screen.inMenu)
}
