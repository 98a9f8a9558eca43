import type { User } from '@/api/session'
import { CompanyIcon } from '@/components/icons/CompanyIcon'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { GroupIcon } from '@/components/icons/GroupIcon'
import { HelpIcon } from '@/components/icons/HelpIcon'
import { HistoryIcon } from '@/components/icons/HistoryIcon'
import { PersonIcon } from '@/components/icons/PersonIcon'
import { StorageIcon } from '@/components/icons/StorageIcon'
import { SubscriptionIcon } from '@/components/icons/SubscriptionIcon'
import { WarehouseIcon } from '@/components/icons/WarehouseIcon'
import type { Icon } from '@/components/icons/create-icon'

export type Screen = {
  /** Also its key under `screens` and `screenHints` in the console's texts. */
  id: string
  path: string
  Icon: Icon
  permission: string
  /** A wider permission that leads to another screen instead. */
  unless?: string
  needsSubscription?: boolean
  needsWarehouses?: boolean
  needsCompany?: boolean
  inMenu: boolean
}

const SCREENS: readonly Screen[] = [
  { id: 'companies', path: '/admin/companies', Icon: CompanyIcon, permission: 'companies:manage', inMenu: true },
  {
    id: 'members',
    path: '/admin/members',
    Icon: GroupIcon,
    permission: 'companies:manage',
    needsCompany: true,
    inMenu: true,
  },
  {
    id: 'accessRequests',
    path: '/admin/access-requests',
    Icon: PersonIcon,
    permission: 'companies:manage',
    inMenu: true,
  },
  {
    id: 'teamMembers',
    path: '/team-members',
    Icon: GroupIcon,
    permission: 'members:manage',
    needsSubscription: true,
    inMenu: true,
  },
  {
    id: 'warehouses',
    path: '/warehouses',
    Icon: WarehouseIcon,
    permission: 'warehouses:manage',
    needsSubscription: true,
    needsWarehouses: true,
    inMenu: true,
  },
  {
    id: 'storage',
    path: '/storage',
    Icon: StorageIcon,
    permission: 'storage:manage',
    needsSubscription: true,
    inMenu: true,
  },
  {
    id: 'subscription',
    path: '/subscription',
    Icon: SubscriptionIcon,
    permission: 'subscription:manage',
    inMenu: true,
  },
  { id: 'activityAll', path: '/admin/activity', Icon: HistoryIcon, permission: 'activity:readAll', inMenu: true },
  {
    id: 'activity',
    path: '/activity',
    Icon: HistoryIcon,
    permission: 'activity:read',
    unless: 'activity:readAll',
    needsSubscription: true,
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
    Icon: DownloadIcon,
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
