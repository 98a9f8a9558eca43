import '@/theme/fonts.css'
import '@/theme/tokens.css'
import '@/theme/base.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { captureLinkToken } from '@/api/link-token'
import { sessionStore, storedToken } from '@/api/session'
import { App } from '@/app/App'
import { prepareFirstPage } from '@/app/first-page'
import { followThemeMode } from '@/theme/theme-mode'
import { preferredLanguage } from '@/i18n/languages'
import { captureEarlyInput } from '@/lib/hydration-replay'

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
  captureEarlyInput()
  hydrateRoot(root, app)
} else {
  root.replaceChildren()
  delete dataset.prerendered
  createRoot(root).render(app)
}
