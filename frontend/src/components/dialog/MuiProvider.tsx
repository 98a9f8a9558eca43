import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { Suspense, use, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadRtlCache, ltrCache } from '@/theme/style-cache'
import { buildTheme } from '@/theme/theme'
import { useThemeMode } from '@/theme/theme-mode'

type Props = { children: ReactNode }

/** Theme and styles for MUI. Pages do without MUI, so each component that uses it brings its provider along. */
export function MuiProvider({ children }: Props) {
  return (
    <Suspense fallback={null}>
      <Providers>{children}</Providers>
    </Suspense>
  )
}

function Providers({ children }: Props) {
  const { i18n } = useTranslation()
  const mode = useThemeMode()
  const direction = i18n.dir()
  const cache = direction === 'ltr' ? ltrCache : use(loadRtlCache())
  const theme = useMemo(() => buildTheme(mode, direction), [mode, direction])
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </CacheProvider>
  )
}
