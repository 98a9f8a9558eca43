import ar from '@/i18n/locales/ar/card.json'
import en from '@/i18n/locales/en/card.json'
import tr from '@/i18n/locales/tr/card.json'

export type Texts = typeof en

// Three short files: fetching only one of them would cost more than it saves.
const all: Record<string, Texts> = { en, tr, ar }

export function textsOf(language: string): Texts {
  return all[language] ?? en
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
