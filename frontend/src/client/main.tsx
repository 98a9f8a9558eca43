import '@/theme/fonts.css'
import '@/theme/tokens.css'
import '@/theme/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { HashRouter } from 'react-router'
import { Toasts } from '@/components/Toasts'
import { initI18n } from '@/i18n/i18n'
import { followThemeMode } from '@/theme/theme-mode'
import { App } from './App'
import { followProgram } from './client-state'
import { escapeNames } from './escape-names'
import { restorePreferences, savePreferences } from './preferences'

followProgram()
await restorePreferences()
followThemeMode()
const i18n = await initI18n()
escapeNames(i18n)
savePreferences()
await i18n.loadNamespaces(['client', 'auth'])

const root = document.getElementById('root')
if (!root) throw new Error('The document has no root element')
createRoot(root).render(
  <StrictMode>
    <HashRouter>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App />
        <Toasts />
      </QueryClientProvider>
    </HashRouter>
  </StrictMode>,
)
