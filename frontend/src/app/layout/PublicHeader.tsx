import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { LanguageSelect } from '@/components/LanguageSelect'
import { TesseraMark } from '@/components/TesseraMark'
import { ThemeToggle } from '@/components/ThemeToggle'
import { wantedPath } from '../navigation-state'
import styles from './PublicHeader.module.css'
import { SessionLinks } from './SessionLinks'

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
        <LanguageSelect />
        <ThemeToggle />
        <SessionLinks path={path} />
      </nav>
    </header>
  )
}
