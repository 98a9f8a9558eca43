import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { use, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '@/api/query-client'
import { Toasts } from '@/components/Toasts'
import { buildTheme } from '@/theme/theme'
import { styleCache } from './style-cache'
import { useThemeMode } from './theme-mode'

export default function ConsoleProviders({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation(['common', 'errors'])
  const mode = useThemeMode()
  const direction = i18n.dir()
  const cache = use(styleCache(direction))
  const theme = useMemo(() => buildTheme(mode, direction), [mode, direction])
  return (
    <QueryClientProvider client={queryClient}>
      <CacheProvider value={cache}>
        <ThemeProvider theme={theme}>
          {children}
          <Toasts />
        </ThemeProvider>
      </CacheProvider>
    </QueryClientProvider>
  )
}
