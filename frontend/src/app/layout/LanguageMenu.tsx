import { useTranslation } from 'react-i18next'
import { changeLanguage, currentLanguage } from '@/i18n/i18n'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/i18n/languages'
import { whenHydrated } from '@/lib/hydration-replay'
import styles from './PublicHeader.module.css'

/** The browser's own list: it is reachable by keyboard, touch and screen reader without a line of script. */
export function LanguageMenu() {
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
