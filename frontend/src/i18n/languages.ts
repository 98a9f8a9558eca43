import { readStored, writeStored } from '@/api/storage'

export const LANGUAGES = ['en', 'tr', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** Each language in its own words: whoever looks for it cannot read the others. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', tr: 'Türkçe', ar: 'العربية' }

const storageKey = 'tessera.language'

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value)
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

export function preferredLanguage(): Language {
  const kept = readStored(storageKey)
  if (isLanguage(kept)) return kept
  const wanted = navigator.language.slice(0, 2).toLowerCase()
  return isLanguage(wanted) ? wanted : 'en'
}

let chosen = false

export function keepLanguage(language: Language): void {
  chosen = true
  writeStored(storageKey, language)
}

/** Whether somebody has picked a language since the page was opened, or since the last choice was settled. */
export function languageWasChosen(): boolean {
  return chosen
}

/** The choice has been kept on an account, or the account's has been taken: the next login starts afresh. */
export function settleLanguageChoice(): void {
  chosen = false
}
