import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { User } from '@/api/session'
import { DownloadIcon, HelpIcon, LogoutIcon, SettingsIcon } from '@/components/icons'
import { actionsOf, type FrameAction } from '../frame-actions'
import { screensOf } from '../screens'
import styles from './Toolbar.module.css'
import { ActionEntry, ToolbarMenu, useMenuAnchor } from './ToolbarMenu'

type UserMenuProps = {
  user: User
  actions: readonly FrameAction[]
  onAction: (action: FrameAction) => void
  /** Left out where there is no settings panel. */
  onOpenSettings?: () => void
  onLogout: () => void
}

export function UserMenu({ user, actions, onAction, onOpenSettings, onLogout }: UserMenuProps) {
  const { t, i18n } = useTranslation('console')
  const navigate = useNavigate()
  const menu = useMenuAnchor()
  const fullName = `${user.firstName} ${user.lastName}`
  const role = t(`roles.${user.role}`)
  const screens = screensOf(user)
  const download = screens.find(({ id }) => id === 'download')
  const help = screens.find(({ id }) => id === 'help')

  const closing = (run: () => void) => () => {
    menu.close()
    run()
  }
  const button = (
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
        <span className={styles.name}>
          <bdi>{fullName}</bdi>
        </span>
        <span className={styles.role}>{role}</span>
      </span>
    </button>
  )
  return (
    <ToolbarMenu anchor={menu} label={fullName} button={button} alignEnd>
      <div className={styles.menuHead} role="presentation">
        <span className={styles.name}>
          <bdi>{fullName}</bdi>
        </span>
        <span className={styles.role}>{role}</span>
        <span className={styles.address}>
          <bdi dir="ltr">{user.email_address}</bdi>
        </span>
      </div>
      <hr />
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
          Icon={DownloadIcon}
          label={t('userMenu.download')}
          onClick={closing(() => void navigate(download.path))}
        />
      )}
      {help && (
        <ActionEntry Icon={HelpIcon} label={t('screens.help')} onClick={closing(() => void navigate(help.path))} />
      )}
      {onOpenSettings && (
        <ActionEntry Icon={SettingsIcon} label={t('userMenu.settings')} onClick={closing(onOpenSettings)} />
      )}
      <hr />
      <ActionEntry Icon={LogoutIcon} label={t('userMenu.logout')} onClick={closing(onLogout)} />
    </ToolbarMenu>
  )
}

function firstLetter(name: string): string {
  return [...name.trim()][0] ?? ''
}

/** Upper-cased as the language does it: a Turkish "i" becomes "İ". */
export function initials(firstName: string, lastName: string, language: string): string {
  return (firstLetter(firstName) + firstLetter(lastName)).toLocaleUpperCase(language)
}
