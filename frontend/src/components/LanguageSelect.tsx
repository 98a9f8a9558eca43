import { useTranslation } from 'react-i18next'
import { changeLanguage, currentLanguage } from '@/i18n/i18n'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/i18n/languages'
import styles from './preferences.module.css'
import { TranslateIcon } from './icons/TranslateIcon'

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
      <TranslateIcon />
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
  if (isLanguage(chosen)) void changeLanguage(chosen)
}
