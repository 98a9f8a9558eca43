import { renderToString } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { StaticRouter } from 'react-router'
import { sessionStore } from '@/api/session'
import { AppBody } from '@/app/App'
import { findRoute, preload } from '@/app/routes'
import { i18n, i18nOptions } from '@/i18n/i18n'
import { directionOf, LANGUAGES, type Language } from '@/i18n/languages'

const texts = import.meta.glob<Record<string, unknown>>('./i18n/locales/*/*.json', { eager: true, import: 'default' })

async function speak(language: Language): Promise<void> {
  if (!i18n.isInitialized) await i18n.use(initReactI18next).init({ ...i18nOptions, lng: language })
  for (const [path, bundle] of Object.entries(texts)) {
    const [, of = '', namespace = ''] = /locales\/(\w+)\/(\w+)\.json$/.exec(path) ?? []
    if (of === language) i18n.addResourceBundle(language, namespace, bundle)
  }
  await i18n.changeLanguage(language)
}

export type Prerendered = { language: Language; direction: string; title: string; description: string; markup: string }

/** A public page as a guest sees it first, once per language, with the key of its description. Runs in the build. */
export async function prerender(path: string, description: string): Promise<Prerendered[]> {
  const route = findRoute(path)
  await sessionStore.startUp()
  await preload(route)
  const pages: Prerendered[] = []
  for (const language of LANGUAGES) {
    await speak(language)
    const rendered = renderToString(
      <StaticRouter location={path}>
        <AppBody />
      </StaticRouter>,
    )
    // React writes the title first; it belongs into the head.
    const [, title = '', markup = ''] = /^<title>(.*?)<\/title>(.*)$/s.exec(rendered) ?? []
    if (!markup) throw new Error(`${path} has not been rendered`)
    pages.push({ language, direction: directionOf(language), title, description: i18n.t(description), markup })
  }
  return pages
}
