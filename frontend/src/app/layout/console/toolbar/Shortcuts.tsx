import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import type { User } from '@/api/session'
import { useActiveCompany } from '@/app/active-company'
import iconButton from '@/components/IconButton.module.css'
import { PinIcon } from '@/components/icons/PinIcon'
import { CheckIcon } from '@/components/icons/CheckIcon'
import { Menu, MenuChoice } from '@/components/menu/Menu'
import { Tip } from '@/components/Tip'
import { settingsStore, useSettings } from '@/lib/settings'
import { screensOf } from '../screens'
import styles from './Toolbar.module.css'

/** Screens pinned to the toolbar, and the menu that pins them. */
export function Shortcuts({ user }: { user: User }) {
  const { t } = useTranslation('console')
  const { pins } = useSettings()
  const company = useActiveCompany()
  const screens = screensOf(user)

  function toggle(id: string) {
    settingsStore.update({ pins: pins.includes(id) ? pins.filter((pin) => pin !== id) : [...pins, id] })
  }

  return (
    <div className={styles.shortcuts}>
      {screens
        .filter(({ id, needsCompany }) => pins.includes(id) && (!needsCompany || company))
        .map(({ id, path, Icon }) => (
          <Tip key={id} text={t(`screens.${id}`)}>
            <NavLink to={path} className={`${iconButton.round} ${styles.iconButton}`} aria-label={t(`screens.${id}`)}>
              <Icon />
            </NavLink>
          </Tip>
        ))}
      <Menu
        label={t('shortcuts.label')}
        className={`${iconButton.round} ${styles.iconButton}`}
        button={<PinIcon />}
        hasTip
      >
        <div className={styles.menuHeading} role="presentation">
          {t('shortcuts.choose')}
        </div>
        {screens.map(({ id, Icon }) => (
          <MenuChoice key={id} checked={pins.includes(id)} onClick={() => toggle(id)}>
            <Icon />
            <span className={styles.gap}>{t(`screens.${id}`)}</span>
            <CheckIcon className={styles.check} />
          </MenuChoice>
        ))}
      </Menu>
    </div>
  )
}
