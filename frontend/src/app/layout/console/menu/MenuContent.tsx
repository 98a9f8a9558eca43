import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { User } from '@/api/session'
import { useActiveCompany } from '@/app/active-company'
import { SandboxIcon } from '@/components/icons/SandboxIcon'
import { TesseraMark } from '@/components/TesseraMark'
import { Tip } from '@/components/Tip'
import { screensOf } from '../screens'
import { useConfig } from '../use-config'
import { MenuItem } from './MenuItem'
import styles from './SideMenu.module.css'

type MenuContentProps = {
  user: User
  /** Only the icons are visible. */
  narrow?: boolean
  onNavigate: () => void
  foldButton?: React.ReactNode
}

export function MenuContent({ user, narrow = false, onNavigate, foldButton }: MenuContentProps) {
  const { t } = useTranslation('console')
  const company = useActiveCompany()
  const config = useConfig()
  const groupId = useId()

  return (
    <>
      <Link className={styles.brand} to="/" onClick={onNavigate} aria-label={t('common:header.home')}>
        <TesseraMark size={28} />
        <span className={`t-ellipsis ${styles.label}`}>Tessera</span>
      </Link>
      <div className={styles.scroll}>
        <h2 className={styles.group} id={groupId}>
          {t('menu.applications')}
        </h2>
        <ul className={`t-grid ${styles.list}`} aria-labelledby={groupId}>
          {screensOf(user)
            .filter(({ hidden }) => !hidden)
            .map((screen) => (
              <li key={screen.path}>
                <MenuItem
                  screen={screen}
                  narrow={narrow}
                  disabled={Boolean(screen.needsCompany) && !company}
                  onNavigate={onNavigate}
                />
              </li>
            ))}
        </ul>
      </div>
      <div className={`t-grid ${styles.foot}`}>
        {config?.mode === 'sandbox' && <SandboxNote narrow={narrow} />}
        {foldButton}
      </div>
    </>
  )
}

/** Links to the sandbox's outbox, a page of the server, where codes arrive. */
function SandboxNote({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation('console')
  return (
    <Tip text={narrow ? t('menu.sandbox') : ''} beside keyboardOnly>
      <a className={`${styles.item} ${styles.note}`} href="/sandbox/outbox" target="_blank" rel="noopener">
        <SandboxIcon />
        <span className={`t-ellipsis ${styles.label}`}>{t('menu.sandbox')}</span>
      </a>
    </Tip>
  )
}
