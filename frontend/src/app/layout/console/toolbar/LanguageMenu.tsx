import { useTranslation } from 'react-i18next'
import iconButton from '@/components/IconButton.module.css'
import { Menu, MenuChoice } from '@/components/menu/Menu'
import { changeLanguage, currentLanguage, LANGUAGES } from '@/i18n/i18n'
import { LANGUAGE_NAMES } from '@/i18n/languages'
import styles from './Toolbar.module.css'

export function LanguageMenu() {
  const { t } = useTranslation('console')
  const current = currentLanguage()
  return (
    <Menu
      label={t('language.label', { name: LANGUAGE_NAMES[current] })}
      className={`${iconButton.round} ${styles.iconButton} ${styles.language}`}
      button={<span lang="en">{current.toUpperCase()}</span>}
      hasTip
      alignEnd
    >
      {LANGUAGES.map((language) => (
        <MenuChoice
          key={language}
          exclusive
          checked={language === current}
          lang={language}
          onClick={() => void changeLanguage(language)}
        >
          {LANGUAGE_NAMES[language]}
        </MenuChoice>
      ))}
    </Menu>
  )
}
