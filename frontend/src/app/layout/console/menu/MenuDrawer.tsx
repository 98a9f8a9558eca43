import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Dialog } from '@/components/dialog/Dialog'
import iconButton from '@/components/IconButton.module.css'
import { CloseIcon } from '@/components/icons/CloseIcon'
import { useSettings } from '@/lib/settings'
import { MenuContent } from './MenuContent'
import styles from './SideMenu.module.css'

type MenuDrawerProps = { user: User; onClose: () => void }

/** The menu on a phone. */
export function MenuDrawer({ user, onClose }: MenuDrawerProps) {
  const { t } = useTranslation('console')
  const { menuSide } = useSettings()
  return (
    <Dialog onClose={onClose} placement={menuSide} label={t('menu.label')}>
      <nav className={styles.drawer} aria-label={t('menu.label')}>
        <button
          type="button"
          className={`${iconButton.round} ${styles.close}`}
          onClick={onClose}
          aria-label={t('menu.close')}
        >
          <CloseIcon />
        </button>
        <MenuContent user={user} onNavigate={onClose} />
      </nav>
    </Dialog>
  )
}
