import { useTranslation } from 'react-i18next'
import { settingsStore } from '@/lib/settings'
import { themeMode, useThemeMode } from '@/theme/theme-mode'
import styles from './preferences.module.css'

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const

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
