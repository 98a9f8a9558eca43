import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { use, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { buildTheme } from '@/theme/theme'
import { styleCache } from './style-cache'
import { useThemeMode } from './theme-mode'

/** What MUI needs: our theme, and the place where its styles are written. */
export function StyleProviders({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const mode = useThemeMode()
  const direction = i18n.dir()
  const cache = use(styleCache(direction))
  const theme = useMemo(() => buildTheme(mode, direction), [mode, direction])
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </CacheProvider>
  )
}
