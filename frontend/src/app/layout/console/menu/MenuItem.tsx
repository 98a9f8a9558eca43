import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { Tip } from '@/components/Tip'
import type { Screen } from '../screens'
import styles from './SideMenu.module.css'

type MenuItemProps = { screen: Screen; narrow: boolean; disabled: boolean; onNavigate: () => void }

export function MenuItem({ screen, narrow, disabled, onNavigate }: MenuItemProps) {
  const { t } = useTranslation('console')
  const reasonId = useId()
  const label = t(`common:screens.${screen.screen}`)
  const content = (
    <>
      <screen.Icon />
      <span className={`t-ellipsis ${styles.label}`}>{label}</span>
    </>
  )

  // A disabled link stays focusable, so that its reason can be read.
  if (disabled) {
    return (
      <>
        <Tip text={t('menu.selectCompanyFirst')} beside>
          <span
            className={`${styles.item} ${styles.disabled}`}
            role="link"
            aria-disabled="true"
            aria-describedby={reasonId}
            tabIndex={0}
          >
            {content}
          </span>
        </Tip>
        <span id={reasonId} hidden>
          {t('menu.selectCompanyFirst')}
        </span>
      </>
    )
  }
  return (
    // The mouse opens the whole menu instead; the tooltip is for the keyboard.
    <Tip text={narrow ? label : ''} beside keyboardOnly>
      <NavLink to={screen.path} className={styles.item} onClick={onNavigate}>
        {content}
      </NavLink>
    </Tip>
  )
}
