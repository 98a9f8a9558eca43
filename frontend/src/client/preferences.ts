import { currentLanguage, i18n } from '@/i18n/i18n'
import { isLanguage, keepLanguage } from '@/i18n/languages'
import { settingsStore } from '@/lib/settings'
import { get, post, type Schemas } from './api'

/**
 * Takes over the language and theme that were chosen in earlier runs. The program keeps them: each run has another
 * port, and with it another storage in the browser.
 */
export async function restorePreferences(): Promise<void> {
  try {
    const { language, theme } = await get('/settings')
    if (isLanguage(language)) keepLanguage(language)
    if (theme) settingsStore.update({ theme })
  } catch {
    // The page then says that the program has stopped.
  }
}

/** Tells the program when a language or theme is chosen. */
export function savePreferences(): void {
  i18n.on('languageChanged', () => void save({ language: currentLanguage() }))
  let { theme } = settingsStore.get()
  settingsStore.subscribe(() => {
    const chosen = settingsStore.get().theme
    if (chosen === theme) return
    theme = chosen
    void save({ theme })
  })
}

async function save(change: Partial<Schemas['Settings']>): Promise<void> {
  try {
    await post('/settings', change)
  } catch {
    // It holds for this run.
  }
}
