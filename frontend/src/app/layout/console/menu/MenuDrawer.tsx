import CloseOutlined from '@mui/icons-material/CloseOutlined'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { useSettings } from '@/app/settings'
import { MenuContent } from './MenuContent'
import styles from './SideMenu.module.css'

type MenuDrawerProps = { user: User; open: boolean; onClose: () => void }

/** The same menu on a phone. */
export function MenuDrawer({ user, open, onClose }: MenuDrawerProps) {
  const { t } = useTranslation('console')
  const { menuSide } = useSettings()
  return (
    <Drawer
      open={open}
      onClose={onClose}
      anchor={menuSide === 'start' ? 'left' : 'right'}
      slotProps={{ paper: { 'aria-label': t('menu.label'), sx: { backgroundImage: 'none', border: 0 } } }}
    >
      <nav className={styles.drawer} aria-label={t('menu.label')}>
        <IconButton
          onClick={onClose}
          aria-label={t('menu.close')}
          sx={{ position: 'absolute', insetBlockStart: 10, insetInlineEnd: 10, color: 'var(--t-menu-ink)' }}
        >
          <CloseOutlined />
        </IconButton>
        <MenuContent user={user} onNavigate={onClose} />
      </nav>
    </Drawer>
  )
}
