import DownloadOutlined from '@mui/icons-material/DownloadOutlined'
import LogoutOutlined from '@mui/icons-material/LogoutOutlined'
import TuneOutlined from '@mui/icons-material/TuneOutlined'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { User } from '@/api/session'
import { actionsOf, type FrameAction } from '../frame-action'
import { screensOf } from '../screens'
import { ActionEntry } from './ActionEntry'
import { initials } from './initials'
import styles from './Toolbar.module.css'
import { useMenuAnchor } from './use-menu-anchor'

type UserMenuProps = {
  user: User
  actions: readonly FrameAction[]
  onAction: (action: FrameAction) => void
  onOpenSettings: () => void
  onLogout: () => void
}

export function UserMenu({ user, actions, onAction, onOpenSettings, onLogout }: UserMenuProps) {
  const { t, i18n } = useTranslation('console')
  const navigate = useNavigate()
  const menu = useMenuAnchor()
  const fullName = `${user.firstName} ${user.lastName}`
  const role = t(`roles.${user.role}`)
  const download = screensOf(user).find(({ id }) => id === 'download')

  const closing = (run: () => void) => () => {
    menu.close()
    run()
  }
  return (
    <>
      <button
        type="button"
        className={styles.user}
        onClick={menu.show}
        aria-haspopup="menu"
        aria-expanded={menu.open}
        aria-label={t('userMenu.label', { name: fullName, role })}
      >
        <span className={styles.avatar} aria-hidden>
          {initials(user.firstName, user.lastName, i18n.language)}
        </span>
        <span className={styles.who}>
          <bdi className={styles.name}>{fullName}</bdi>
          <span className={styles.role}>{role}</span>
        </span>
      </button>
      <Menu
        open={menu.open}
        anchorEl={menu.anchorEl}
        onClose={menu.close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { minWidth: 220 } } }}
      >
        <li className={styles.menuHead} role="presentation">
          <bdi className={styles.name}>{fullName}</bdi>
          <span className={styles.role}>{role}</span>
        </li>
        <Divider />
        {actionsOf(user, actions).map((action) => (
          <ActionEntry
            key={action.id}
            Icon={action.Icon}
            label={t(action.labelKey)}
            onClick={closing(() => onAction(action))}
          />
        ))}
        {download && (
          <ActionEntry
            Icon={DownloadOutlined}
            label={t('userMenu.download')}
            onClick={closing(() => void navigate(download.path))}
          />
        )}
        <ActionEntry Icon={TuneOutlined} label={t('userMenu.settings')} onClick={closing(onOpenSettings)} />
        <Divider />
        <ActionEntry Icon={LogoutOutlined} label={t('userMenu.logout')} onClick={closing(onLogout)} />
      </Menu>
    </>
  )
}
