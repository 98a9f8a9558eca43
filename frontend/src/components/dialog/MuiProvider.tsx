import createCache, { type EmotionCache } from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { Suspense, use, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { buildTheme } from './mui-theme'
import { useThemeMode } from '@/theme/theme-mode'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
const shared = nonce ? { nonce } : {}

const ltrCache = createCache({ key: 't', ...shared })
let rtlCache: Promise<EmotionCache> | undefined

type Props = { children: ReactNode }

/** MUI's theme and styles. Pages do not load MUI, so each component that uses it renders its own provider. */
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

/** Mirrors MUI's styles; only loaded for languages written from right to left. */
function loadRtlCache(): Promise<EmotionCache> {
  rtlCache ??= import('@mui/stylis-plugin-rtl').then(({ default: mirror }) =>
    createCache({ key: 'trtl', stylisPlugins: [mirror], ...shared }),
  )
  return rtlCache
}
