import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { i18n, initI18n } from '@/i18n/i18n'
import './browser-gaps'

// Lazy pages are compiled on first use; a busy machine takes its time for that.
configure({ asyncUtilTimeout: 30_000 })

const texts = import.meta.glob<Record<string, unknown>>('../i18n/locales/*/*.json', { eager: true, import: 'default' })

// Tests speak English and never wait for texts.
beforeAll(async () => {
  localStorage.setItem('tessera.language', 'en')
  await initI18n()
  for (const [path, bundle] of Object.entries(texts)) {
    const [, language = '', namespace = ''] = /locales\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? []
    i18n.addResourceBundle(language, namespace, bundle, true, true)
  }
})

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})
