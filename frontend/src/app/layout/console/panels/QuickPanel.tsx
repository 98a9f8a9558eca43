import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Drawer } from '@/components/dialog/Drawer'
import { EmptyState } from '@/components/EmptyState'
import { useSettings } from '@/lib/settings'
import { quickPanelSections, type QuickPanelSection } from '../quick-panel-sections'
import styles from './Panel.module.css'

type QuickPanelProps = {
  user: User
  open: boolean
  onClose: () => void
  sections?: readonly QuickPanelSection[]
}

/** How things stand, without leaving the screen; on the side where the menu is not. */
export function QuickPanel({ user, open, onClose, sections = quickPanelSections }: QuickPanelProps) {
  const { t } = useTranslation('console')
  const { menuSide } = useSettings()
  const shown = sections.filter(({ isFor }) => isFor(user))
  return (
    <Drawer
      closeLabel={t('panel.close')}
      side={menuSide === 'start' ? 'right' : 'left'}
      title={t('quickPanel.title')}
      open={open}
      onClose={onClose}
    >
      {shown.length === 0 && (
        <EmptyState heading="h3" title={t('quickPanel.emptyTitle')} text={t('quickPanel.emptyText')} />
      )}
      {shown.map(({ id, titleKey, Section }) => (
        <section key={id} className={styles.section} aria-labelledby={`quick-${id}`}>
          <h3 className={styles.sectionTitle} id={`quick-${id}`}>
            {t(titleKey)}
          </h3>
          <Suspense fallback={null}>
            <Section user={user} onClose={onClose} />
          </Suspense>
        </section>
      ))}
    </Drawer>
  )
}
