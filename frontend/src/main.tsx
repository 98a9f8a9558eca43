import '@/theme/fonts.css'
import '@/theme/tokens.css'
import '@/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionStore } from '@/api/session'
import { App } from '@/app/App'
import { prepareFirstPage } from '@/app/first-page'
import { captureLinkToken } from '@/api/link-token'
import { followThemeMode } from '@/app/theme-mode'

captureLinkToken()
followThemeMode()
// Positions are restored when the page has been rendered, which the browser cannot know.
window.history.scrollRestoration = 'manual'
void sessionStore.startUp()

const root = document.getElementById('root')
if (!root) throw new Error('The document has no root element')
await prepareFirstPage(window.location.pathname)
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
