import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { User } from '@/api/session'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { HelpIcon } from '@/components/icons/HelpIcon'
import { LogoutIcon } from '@/components/icons/LogoutIcon'
import { SettingsIcon } from '@/components/icons/SettingsIcon'
import { Menu, MenuItem } from '@/components/menu/Menu'
import { actionsOf, type FrameAction } from '../frame-actions'
import { screensOf } from '../screens'
import styles from './Toolbar.module.css'

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
  const fullName = `${user.firstName} ${user.lastName}`
  const role = t(`roles.${user.role}`)
  const screens = screensOf(user)
  const download = screens.find(({ screen }) => screen === 'download')
  const help = screens.find(({ screen }) => screen === 'faq')

  const button = (
    <>
      <span className={styles.avatar} aria-hidden>
        {initials(user.firstName, user.lastName, i18n.language)}
      </span>
      <span className={styles.who}>
        <span className={`t-ellipsis ${styles.name}`}>
          <bdi>{fullName}</bdi>
        </span>
        <span className={`t-soft ${styles.role}`}>{role}</span>
      </span>
    </>
  )
  return (
    <Menu
      label={t('userMenu.label', { name: fullName, role })}
      menuLabel={fullName}
      className={styles.user}
      button={button}
      alignEnd
    >
      <div className={styles.menuHead} role="presentation">
        <span className={`t-ellipsis ${styles.name}`}>
          <bdi>{fullName}</bdi>
        </span>
        <span className={`t-soft ${styles.role}`}>{role}</span>
        <span className="t-soft t-ellipsis">
          <bdi dir="ltr">{user.email_address}</bdi>
        </span>
      </div>
      <hr />
      {actionsOf(user, actions).map((action) => (
        <MenuItem key={action.id} Icon={action.Icon} label={t(action.labelKey)} onClick={() => onAction(action)} />
      ))}
      {download && (
        <MenuItem
          Icon={DownloadIcon}
          label={t('common:screens.download')}
          onClick={() => void navigate(download.path)}
        />
      )}
      {help && <MenuItem Icon={HelpIcon} label={t('common:screens.faq')} onClick={() => void navigate(help.path)} />}
      {onOpenSettings && <MenuItem Icon={SettingsIcon} label={t('userMenu.settings')} onClick={onOpenSettings} />}
      <hr />
      <MenuItem Icon={LogoutIcon} label={t('userMenu.logout')} onClick={onLogout} />
    </Menu>
  )
}

function firstLetter(name: string): string {
  return [...name.trim()][0] ?? ''
}

/** Upper-cased as the language does it: a Turkish "i" becomes "İ". */
export function initials(firstName: string, lastName: string, language: string): string {
  return (firstLetter(firstName) + firstLetter(lastName)).toLocaleUpperCase(language)
}
