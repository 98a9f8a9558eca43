import { lazy, type ComponentType } from 'react'
import type { User } from '@/api/session'

export type QuickPanelSectionProps = {
  user: User
  /** To be called by links inside the section, so that the panel does not cover where they lead. */
  onClose: () => void
}

export type QuickPanelSection = {
  id: string
  /** Key in the console's texts, such as `quickPanel.warehouses`. */
  titleKey: string
  isFor: (user: User) => boolean
  /** Loads its own data and shows its own loading, empty and error states. */
  Section: ComponentType<QuickPanelSectionProps>
}

/** The sections of the quick panel, from top to bottom. */
export const quickPanelSections: QuickPanelSection[] = [
  {
    id: 'warehouses',
    titleKey: 'quickPanel.warehouses',
    isFor: ({ permissions, isSubscribed, canViewWarehouse }) =>
      permissions.includes('warehouses:manage') && isSubscribed && canViewWarehouse,
    Section: lazy(() => import('@/features/warehouses/WarehousesSection')),
  },
  {
    id: 'subscription',
    titleKey: 'quickPanel.subscription',
    isFor: ({ permissions }) => permissions.includes('subscription:manage'),
    Section: lazy(() => import('@/features/subscription/SubscriptionSection')),
  },
  {
    id: 'activity',
    titleKey: 'quickPanel.activity',
    isFor: ({ permissions }) => permissions.includes('activity:read'),
    Section: lazy(() => import('@/features/activity/LatestActivity')),
  },
]
