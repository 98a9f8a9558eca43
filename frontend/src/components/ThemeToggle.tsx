import { useTranslation } from 'react-i18next'
import { settingsStore } from '@/lib/settings'
import { themeMode, useThemeMode } from '@/theme/theme-mode'
import styles from './preferences.module.css'
import { DarkModeIcon } from './icons/DarkModeIcon'
import { LightModeIcon } from './icons/LightModeIcon'

export function ThemeToggle() {
  const { t } = useTranslation()
  const other = useThemeMode() === 'dark' ? 'light' : 'dark'
  const label = t(`header.theme.${other}`)
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-label={label}
      title={label}
      onClick={() => {
        // Read again: a prerendered page is assumed to be light until it is hydrated.
        settingsStore.update({ theme: themeMode() === 'dark' ? 'light' : 'dark' })
      }}
    >
      {other === 'dark' ? <DarkModeIcon /> : <LightModeIcon />}
    </button>
  )
}
