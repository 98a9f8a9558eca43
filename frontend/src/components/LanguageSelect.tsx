import { useTranslation } from 'react-i18next'
import { changeLanguage, currentLanguage } from '@/i18n/i18n'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/i18n/languages'
import { whenHydrated } from '@/lib/hydration-replay'
import styles from './preferences.module.css'

export const languageOptions = LANGUAGES.map((language) => (
  <option key={language} value={language} lang={language}>
    {LANGUAGE_NAMES[language]}
  </option>
))

/** A native select: it works with keyboard, touch and screen readers without scripts. */
export function LanguageSelect() {
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
        onChange={({ target }) => chooseLanguage(target.value)}
      >
        {languageOptions}
      </select>
    </label>
  )
}

export function chooseLanguage(chosen: string): void {
  if (isLanguage(chosen)) void whenHydrated().then(() => changeLanguage(chosen))
}
