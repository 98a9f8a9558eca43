import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useTranslation } from 'react-i18next'
import { changeLanguage, currentLanguage, LANGUAGES, type Language } from '@/i18n/i18n'
import { LANGUAGE_NAMES } from '@/i18n/languages'
import { ToolbarMenu } from './ToolbarMenu'
import { useMenuAnchor } from './use-menu-anchor'

export function LanguageMenu() {
  const { t } = useTranslation('console')
  const menu = useMenuAnchor()
  const current = currentLanguage()
  const label = t('language.label', { name: LANGUAGE_NAMES[current] })

  function choose(language: Language) {
    menu.close()
    void changeLanguage(language)
  }

  return (
    <>
      <Tooltip title={label}>
        <Button
          onClick={menu.show}
          aria-haspopup="menu"
          aria-expanded={menu.open}
          sx={{ minWidth: 40, height: 40, px: 1, color: 'text.secondary', borderRadius: 99, fontWeight: 550 }}
        >
          <span lang="en">{current.toUpperCase()}</span>
        </Button>
      </Tooltip>
      <ToolbarMenu anchor={menu} label={label}>
        {LANGUAGES.map((language) => (
          <MenuItem
            key={language}
            role="menuitemradio"
            aria-checked={language === current}
            selected={language === current}
            sx={{ fontSize: 14 }}
            lang={language}
            onClick={() => choose(language)}
          >
            {LANGUAGE_NAMES[language]}
          </MenuItem>
        ))}
      </ToolbarMenu>
    </>
  )
}
