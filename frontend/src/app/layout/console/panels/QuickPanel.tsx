import { lazy, Suspense, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Drawer } from '@/components/dialog/Drawer'
import { EmptyState } from '@/components/EmptyState'
import { useSettings } from '@/lib/settings'
import styles from './Panel.module.css'

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
    id: 'storage',
    titleKey: 'quickPanel.storage',
    isFor: ({ permissions, isSubscribed }) => permissions.includes('storage:manage') && isSubscribed,
    Section: lazy(() => import('@/features/storage/StorageSection')),
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
    isFor: ({ permissions, isSubscribed }) => permissions.includes('activity:read') && isSubscribed,
    Section: lazy(() => import('@/features/activity/LatestActivity')),
  },
]

type QuickPanelProps = {
  user: User
  onClose: () => void
  sections?: readonly QuickPanelSection[]
}

/** A status overview on the side opposite to the menu. */
export function QuickPanel({ user, onClose, sections = quickPanelSections }: QuickPanelProps) {
  const { t } = useTranslation('overlays')
  const { menuSide } = useSettings()
  const shown = sections.filter(({ isFor }) => isFor(user))
  return (
    <Drawer
      closeLabel={t('panel.close')}
      side={menuSide === 'start' ? 'end' : 'start'}
      title={t('console:quickPanel.title')}
      onClose={onClose}
    >
      {shown.length === 0 && (
        <EmptyState heading="h3" title={t('quickPanel.emptyTitle')} text={t('quickPanel.emptyText')} />
      )}
      {shown.map(({ id, titleKey, Section }) => (
        <section key={id} className={styles.section} aria-labelledby={`quick-${id}`}>
          <h3 id={`quick-${id}`}>{t(titleKey)}</h3>
          <Suspense fallback={null}>
            <Section user={user} onClose={onClose} />
          </Suspense>
        </section>
      ))}
    </Drawer>
  )
}

type QuickPanelSectionProps = {
  user: User
  /** To be called by links inside the section, so that the panel does not cover where they lead. */
  onClose: () => void
}

type QuickPanelSection = {
  id: string
  /** Key in the overlays' texts, such as `quickPanel.warehouses`. */
  titleKey: string
  isFor: (user: User) => boolean
  /** Loads its own data and shows its own loading, empty and error states. */
  Section: ComponentType<QuickPanelSectionProps>
}
