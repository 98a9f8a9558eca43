import { menu } from 'virtual:menu'
import { routes } from 'virtual:routes'
import type { User } from '@/api/session'
import { fulfils } from '@/app/access'
import type { AppRoute } from '@/app/routes'
import { CompanyIcon } from '@/components/icons/CompanyIcon'
import { ComputerIcon } from '@/components/icons/ComputerIcon'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { GroupIcon } from '@/components/icons/GroupIcon'
import { HelpIcon } from '@/components/icons/HelpIcon'
import { HistoryIcon } from '@/components/icons/HistoryIcon'
import { KeyIcon } from '@/components/icons/KeyIcon'
import { LogoutIcon } from '@/components/icons/LogoutIcon'
import { PersonIcon } from '@/components/icons/PersonIcon'
import { LockIcon } from '@/components/icons/LockIcon'
import { ShieldIcon } from '@/components/icons/ShieldIcon'
import { StorageIcon } from '@/components/icons/StorageIcon'
import { SubscriptionIcon } from '@/components/icons/SubscriptionIcon'
import { WarehouseIcon } from '@/components/icons/WarehouseIcon'
import type { Icon } from '@/components/icons/create-icon'

const icons = {
  company: CompanyIcon,
  computer: ComputerIcon,
  download: DownloadIcon,
  group: GroupIcon,
  help: HelpIcon,
  history: HistoryIcon,
  key: KeyIcon,
  leave: LogoutIcon,
  person: PersonIcon,
  lock: LockIcon,
  shield: ShieldIcon,
  storage: StorageIcon,
  subscription: SubscriptionIcon,
  warehouse: WarehouseIcon,
}

/** How a page is offered to those who may open it. */
export type MenuEntry = {
  icon: keyof typeof icons
  /** In the search and among the shortcuts only. */
  hidden?: true
  /** A platform admin has to select a company first. */
  needsCompany?: true
  /** A wider permission, with which another page is offered instead. */
  unless?: string
}

export type Screen = AppRoute & MenuEntry & { Icon: Icon }

export function screensOf(user: User): Screen[] {
  return routes.flatMap((route) => {
    const entry = menu[route.path]
    if (!entry || typeof route.access === 'string' || !fulfils(user, route.access)) return []
    if (entry.unless && user.permissions.includes(entry.unless)) return []
    return [{ ...route, ...entry, Icon: icons[entry.icon] }]
  })
}
