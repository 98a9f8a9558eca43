import i18next, { type BackendModule, type i18n as I18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { supportEmail } from '@/lib/support-email'
import { directionOf, isLanguage, keepLanguage, LANGUAGES, preferredLanguage, type Language } from './languages'

export { LANGUAGES, type Language } from './languages'

const files = import.meta.glob<Record<string, unknown>>('./locales/*/*.json', { import: 'default' })

const lazyFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    const load = files[`./locales/${language}/${namespace}.json`]
    if (!load) {
      done(new Error(`No texts for ${language}/${namespace}`), null)
      return
    }
    load().then(
      (texts) => {
        done(null, texts)
      },
      (error: unknown) => {
        done(error instanceof Error ? error : new Error(String(error)), null)
      },
    )
  },
}

export const i18n: I18n = i18next

/** Where a text says `{{term}}`, for components/Term. For private use: no text has it. */
export const TERM_MARK = '\ue000'

export const i18nOptions = {
  supportedLngs: LANGUAGES,
  // A test keeps the languages complete, so nobody has to fetch English as well.
  fallbackLng: false,
  ns: ['common'],
  defaultNS: 'common',
  // Texts may name {{support}} and {{term}} without being given it.
  interpolation: { escapeValue: false, defaultVariables: { support: supportEmail(), term: TERM_MARK } },
  react: { useSuspense: true },
} as const

export async function initI18n(): Promise<I18n> {
  if (i18n.isInitialized) return i18n
  i18n.on('languageChanged', (language) => {
    const root = document.documentElement
    // The browser restyles the whole page, even when nothing changes.
    const direction = directionOf(currentLanguage())
    if (root.lang !== language) root.lang = language
    if (root.dir !== direction) root.dir = direction
  })
  await i18n
    .use(lazyFiles)
    .use(initReactI18next)
    .init({ ...i18nOptions, lng: preferredLanguage() })
  return i18n
}

export function currentLanguage(): Language {
  return isLanguage(i18n.language) ? i18n.language : 'en'
}

export async function changeLanguage(language: Language): Promise<void> {
  keepLanguage(language)
  await i18n.changeLanguage(language)
}
