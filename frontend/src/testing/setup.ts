import './page'
import '@testing-library/jest-dom/vitest'
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react'
import { afterEach, beforeAll, vi } from 'vitest'
import { toastStore } from '@/components/toast'
import { i18n, initI18n } from '@/i18n/i18n'
import './browser-gaps'

configure({
  // Lazy pages are compiled on first use; a busy machine takes its time for that.
  asyncUtilTimeout: 30_000,
  // Printing the page is slow. While a query is retried nobody reads it; when the wait fails it is printed once.
  getElementError(message, container) {
    const config: object = getConfig()
    const retried = '_disableExpensiveErrorDiagnostics' in config && config._disableExpensiveErrorDiagnostics
    const error = new Error([message, !retried && prettyDOM(container)].filter(Boolean).join('\n\n'))
    error.name = 'TestingLibraryElementError'
    return error
  },
})

const texts = import.meta.glob<Record<string, unknown>>('../i18n/locales/*/*.json', { import: 'default' })

// Tests speak English and never wait for texts.
beforeAll(async () => {
  localStorage.setItem('tessera.language', 'en')
  await initI18n()
  await Promise.all(
    Object.entries(texts).map(async ([path, load]) => {
      const [, language = '', namespace = ''] = /locales\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? []
      if (!i18n.hasResourceBundle(language, namespace)) i18n.addResourceBundle(language, namespace, await load())
    }),
  )
  await i18n.changeLanguage('en')
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  for (const { id } of toastStore.get()) toastStore.dismiss(id)
  sessionStorage.clear()
})
