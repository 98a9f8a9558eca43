import { storedToken } from '@/api/session'
import { initI18n } from '@/i18n/i18n'
import { findRoute, notFoundRoute } from './routes'

/** Fetches what the address needs, all at once, so that the first picture is the page and not its frame. */
export async function prepareFirstPage(pathname: string): Promise<void> {
  const route = findRoute(pathname) ?? notFoundRoute
  if (route.layout === 'console') void import('./ConsoleProviders').catch(() => undefined)
  if (route.layout === 'console' && storedToken()) void import('./layout/console/ConsoleFrame').catch(() => undefined)
  // What cannot be fetched is reported by the page's own boundary, which asks for it again.
  const page = route.page.preload().catch(() => undefined)
  const i18n = await initI18n()
  await Promise.all([page, route.texts ? i18n.loadNamespaces(route.texts).catch(() => undefined) : undefined])
}
