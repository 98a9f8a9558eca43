import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { TesseraMark } from '@/components/TesseraMark'
import { changeLanguage, currentLanguage } from '@/i18n/i18n'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/i18n/languages'
import { whenHydrated } from '@/lib/hydration-replay'
import { settingsStore } from '@/lib/settings'
import { themeMode, useThemeMode } from '@/theme/theme-mode'
import { wantedPath } from '../navigation-state'
import styles from './PublicHeader.module.css'
import { SessionLinks } from './SessionLinks'

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const

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

/** A native select: it works with keyboard, touch and screen readers without scripts. */
function LanguageMenu() {
  const { t } = useTranslation()
  return (
    <label className={styles.language}>
      <span className="t-hidden">{t('header.language')}</span>
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <g fill="none" stroke="currentColor" strokeWidth="1.5">
          <circle cx="10" cy="10" r="8" />
          <path d="M2 10h16M10 2c5 5 5 11 0 16M10 2c-5 5-5 11 0 16" />
        </g>
      </svg>
      <select
        className={styles.select}
        value={currentLanguage()}
        onChange={(event) => {
          const chosen = event.target.value
          if (isLanguage(chosen)) void whenHydrated().then(() => changeLanguage(chosen))
        }}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGE_NAMES[language]}
          </option>
        ))}
      </select>
    </label>
  )
}

function ThemeToggle() {
  const { t } = useTranslation()
  const other = useThemeMode() === 'dark' ? 'light' : 'dark'
  const label = t(`header.theme.${other}`)
  return (
    <button
      type="button"
      className={styles.icon}
      aria-label={label}
      title={label}
      onClick={() => {
        // Read again: a prerendered page is assumed to be light until it is hydrated.
        settingsStore.update({ theme: themeMode() === 'dark' ? 'light' : 'dark' })
      }}
    >
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        {other === 'dark' ? (
          <path d="M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z" {...stroke} />
        ) : (
          <path
            d="M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.8v1.6M10 16.6v1.6M1.8 10h1.6M16.6 10h1.6M4.2 4.2l1.1 1.1M14.7 14.7l1.1 1.1M4.2 15.8l1.1-1.1M14.7 5.3l1.1-1.1"
            {...stroke}
          />
        )}
      </svg>
    </button>
  )
}
