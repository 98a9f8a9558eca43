import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import rtlPlugin from '@mui/stylis-plugin-rtl'
import { QueryClientProvider } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { prefixer } from 'stylis'
import { queryClient } from '@/api/query-client'
import { Toasts } from '@/components/Toasts'
import { buildTheme } from '@/theme/theme'
import { useThemeMode } from './theme-mode'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
const shared = nonce ? { nonce } : {}
const caches = {
  ltr: createCache({ key: 't', ...shared }),
  rtl: createCache({ key: 'trtl', stylisPlugins: [prefixer, rtlPlugin], ...shared }),
}

export default function ConsoleProviders({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation(['common', 'errors'])
  const mode = useThemeMode()
  const direction = i18n.dir()
  const theme = useMemo(() => buildTheme(mode, direction), [mode, direction])
  return (
    <QueryClientProvider client={queryClient}>
      <CacheProvider value={caches[direction]}>
        <ThemeProvider theme={theme}>
          {children}
          <Toasts />
        </ThemeProvider>
      </CacheProvider>
    </QueryClientProvider>
  )
}
