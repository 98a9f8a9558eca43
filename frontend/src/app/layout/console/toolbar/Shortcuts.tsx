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

  function toggle(screen: string) {
    settingsStore.update({ pins: pins.includes(screen) ? pins.filter((pin) => pin !== screen) : [...pins, screen] })
  }

  return (
    <div className={styles.shortcuts}>
      {screens
        .filter(({ screen, needsCompany }) => pins.includes(screen) && (!needsCompany || company))
        .map(({ screen, path, Icon }) => (
          <Tip key={screen} text={t(`common:screens.${screen}`)}>
            <NavLink
              to={path}
              className={`${iconButton.round} ${styles.iconButton}`}
              aria-label={t(`common:screens.${screen}`)}
            >
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
        <div className={`t-soft ${styles.menuHeading}`} role="presentation">
          {t('shortcuts.choose')}
        </div>
        {screens.map(({ screen, Icon }) => (
          <MenuChoice key={screen} checked={pins.includes(screen)} onClick={() => toggle(screen)}>
            <Icon />
            <span className={styles.gap}>{t(`common:screens.${screen}`)}</span>
            <CheckIcon className={styles.check} />
          </MenuChoice>
        ))}
      </Menu>
    </div>
  )
}
