import Tooltip from '@mui/material/Tooltip'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import type { Screen } from '../screens'
import styles from './SideMenu.module.css'

type MenuItemProps = { screen: Screen; narrow: boolean; disabled: boolean; onNavigate: () => void }

export function MenuItem({ screen, narrow, disabled, onNavigate }: MenuItemProps) {
  const { t } = useTranslation('console')
  const label = t(`screens.${screen.id}`)
  const content = (
    <>
      <screen.Icon aria-hidden />
      <span className={styles.label}>{label}</span>
    </>
  )

  // A link that leads nowhere yet stays reachable by keyboard, so that its reason can be read.
  if (disabled) {
    return (
      <Tooltip title={t('menu.selectCompanyFirst')} placement="right" describeChild>
        <span className={`${styles.item} ${styles.disabled}`} role="link" aria-disabled="true" tabIndex={0}>
          {content}
        </span>
      </Tooltip>
    )
  }
  return (
    // The mouse opens the whole menu instead; the tooltip is for the keyboard.
    <Tooltip title={narrow ? label : ''} placement="right" disableHoverListener>
      <NavLink to={screen.path} className={styles.item} onClick={onNavigate}>
        {content}
      </NavLink>
    </Tooltip>
  )
}
