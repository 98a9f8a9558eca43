import { readStored, writeStored } from '@/api/storage'

export const LANGUAGES = ['en', 'tr', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** Each language's own name, for users who cannot read the others. */
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

const settledKey = 'tessera.language.settled'

export function keepLanguage(language: Language): void {
  writeStored(storageKey, language)
  writeStored(settledKey, null)
}

/** Whether somebody has picked a language in this browser that no account knows of yet. */
export function languageWasChosen(): boolean {
  return isLanguage(readStored(storageKey)) && readStored(settledKey) === null
}

/** Marks the language as the account's: the next account's language replaces it. */
export function settleLanguage(): void {
  writeStored(settledKey, '1')
}
