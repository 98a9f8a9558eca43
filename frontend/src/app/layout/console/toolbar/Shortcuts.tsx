import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import type { User } from '@/api/session'
import { useActiveCompany } from '@/app/active-company'
import iconButton from '@/components/IconButton.module.css'
import { CheckIcon, PinIcon } from '@/components/icons'
import { Tip } from '@/components/Tip'
import { settingsStore, useSettings } from '@/lib/settings'
import { screensOf } from '../screens'
import styles from './Toolbar.module.css'
import { ToolbarMenu, useMenuAnchor } from './ToolbarMenu'
import entries from './ToolbarMenu.module.css'

/** Screens pinned to the toolbar, and the menu that pins them. */
export function Shortcuts({ user }: { user: User }) {
  const { t } = useTranslation('console')
  const { pins } = useSettings()
  const company = useActiveCompany()
  const menu = useMenuAnchor()
  const screens = screensOf(user)

  function toggle(id: string) {
    settingsStore.update({ pins: pins.includes(id) ? pins.filter((pin) => pin !== id) : [...pins, id] })
  }

  const button = (
    <Tip text={menu.open ? '' : t('shortcuts.label')}>
      <button
        type="button"
        className={`${iconButton.round} ${styles.iconButton}`}
        onClick={menu.show}
        aria-haspopup="menu"
        aria-expanded={menu.open}
        aria-label={t('shortcuts.label')}
      >
        <PinIcon />
      </button>
    </Tip>
  )
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
      <ToolbarMenu anchor={menu} label={t('shortcuts.label')} button={button}>
        <div className={entries.heading} role="presentation">
          {t('shortcuts.choose')}
        </div>
        {screens.map(({ id, Icon }) => (
          <button
            key={id}
            type="button"
            role="menuitemcheckbox"
            tabIndex={-1}
            aria-checked={pins.includes(id)}
            className={entries.entry}
            onClick={() => toggle(id)}
          >
            <Icon />
            <span className={entries.words}>{t(`screens.${id}`)}</span>
            <CheckIcon className={entries.check} />
          </button>
        ))}
      </ToolbarMenu>
    </div>
  )
}
