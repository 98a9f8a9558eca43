import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { TesseraMark } from '@/components/TesseraMark'
import { wantedPath } from '../navigation-state'
import { LanguageMenu } from './LanguageMenu'
import styles from './PublicHeader.module.css'
import { SessionLinks } from './SessionLinks'
import { ThemeToggle } from './ThemeToggle'

export function PublicHeader({ path }: { path: string }) {
  const { t } = useTranslation()
  const from = wantedPath(useLocation())
  return (
    <header className={styles.header}>
      <Link to="/" state={{ from }} className={styles.brand} aria-label={t('header.home')}>
        <TesseraMark />
        <span className={styles.name}>Tessera</span>
      </Link>
      <nav className={styles.nav} aria-label={t('header.label')}>
        <LanguageMenu />
        <ThemeToggle />
        <SessionLinks path={path} />
      </nav>
    </header>
  )
}
