import '@/theme/fonts.css'
import '@/theme/tokens.css'
import '@/theme/base.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { captureLinkToken } from '@/api/link-token'
import { sessionStore, storedToken } from '@/api/session'
import { App } from '@/app/App'
import { findRoute, preload } from '@/app/routes'
import { initI18n } from '@/i18n/i18n'
import { preferredLanguage } from '@/i18n/languages'
import { recordTyping, replayEarlyInput } from '@/lib/hydration-replay'
import { followThemeMode } from '@/theme/theme-mode'

const { dataset } = document.documentElement
// The build renders public pages for guests, the server picks the language by what the browser asks for.
const asRendered = dataset.prerendered === preferredLanguage() && !storedToken()

captureLinkToken()
followThemeMode()
// Positions are restored when the page has been rendered, which the browser cannot know.
window.history.scrollRestoration = 'manual'
void sessionStore.startUp()

const root = document.getElementById('root')
if (!root) throw new Error('The document has no root element')
await prepareFirstPage(window.location.pathname)
const app = (
  <StrictMode>
    <App />
  </StrictMode>
)
if (asRendered) {
  recordTyping()
  hydrateRoot(root, app)
} else {
  root.replaceChildren()
  replayEarlyInput()
  delete dataset.prerendered
  createRoot(root).render(app)
}

/** Loads everything the URL needs in parallel, so that the first paint is the whole page. */
async function prepareFirstPage(pathname: string): Promise<void> {
  const route = findRoute(pathname)
  if (route.layout === 'console') void import('@/app/ConsoleProviders').catch(() => undefined)
  if (route.layout === 'console' && storedToken())
    void import('@/app/layout/console/ConsoleFrame').catch(() => undefined)
  // What cannot be fetched is reported by the page's own boundary, which asks for it again.
  const page = preload(route).catch(() => undefined)
  const i18n = await initI18n()
  await Promise.all([page, i18n.loadNamespaces(route.texts).catch(() => undefined)])
}
