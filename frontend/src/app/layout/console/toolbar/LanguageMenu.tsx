import { useTranslation } from 'react-i18next'
import iconButton from '@/components/IconButton.module.css'
import { Tip } from '@/components/Tip'
import { changeLanguage, currentLanguage, LANGUAGES, type Language } from '@/i18n/i18n'
import { LANGUAGE_NAMES } from '@/i18n/languages'
import styles from './Toolbar.module.css'
import { ToolbarMenu, useMenuAnchor } from './ToolbarMenu'
import entries from './ToolbarMenu.module.css'

export function LanguageMenu() {
  const { t } = useTranslation('console')
  const menu = useMenuAnchor()
  const current = currentLanguage()
  const label = t('language.label', { name: LANGUAGE_NAMES[current] })

  function choose(language: Language) {
    menu.close()
    void changeLanguage(language)
  }

  const button = (
    <Tip text={menu.open ? '' : label}>
      <button
        type="button"
        className={`${iconButton.round} ${styles.iconButton} ${styles.language}`}
        onClick={menu.show}
        aria-haspopup="menu"
        aria-expanded={menu.open}
        aria-label={label}
      >
        <span lang="en">{current.toUpperCase()}</span>
      </button>
    </Tip>
  )
  return (
    <ToolbarMenu anchor={menu} label={label} button={button} alignEnd>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={language === current}
          className={entries.entry}
          lang={language}
          onClick={() => choose(language)}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </ToolbarMenu>
  )
}
