import { useSyncExternalStore } from 'react'
import { onSignOut } from '@/api/session'
import { settingsStore } from '@/lib/settings'

type Mode = 'light' | 'dark'

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

export function themeMode(): Mode {
  const { theme } = settingsStore.get()
  if (theme === 'system') return prefersDark.matches ? 'dark' : 'light'
  return theme
}

function subscribe(listener: () => void): () => void {
  const left = settingsStore.subscribe(listener)
  prefersDark.addEventListener('change', listener)
  return () => {
    left()
    prefersDark.removeEventListener('change', listener)
  }
}

export function useThemeMode(): Mode {
  // Pages rendered at build time are light until the browser has been asked.
  return useSyncExternalStore(subscribe, themeMode, () => 'light')
}

/** Keeps the document's `data-theme` in line with the settings and the system. */
export function followThemeMode(): void {
  const apply = () => {
    const { dataset } = document.documentElement
    // The browser restyles the whole page, even when nothing changes.
    if (dataset.theme !== themeMode()) dataset.theme = themeMode()
  }
  apply()
  subscribe(apply)
  onSignOut(() => {
    settingsStore.clear()
  })
}
