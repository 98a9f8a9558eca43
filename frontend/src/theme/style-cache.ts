import createCache, { type EmotionCache } from '@emotion/cache'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
const shared = nonce ? { nonce } : {}

export const ltrCache = createCache({ key: 't', ...shared })
let rtlCache: Promise<EmotionCache> | undefined

/** Mirrors MUI's styles; only loaded for languages written from right to left. */
export function loadRtlCache(): Promise<EmotionCache> {
  rtlCache ??= import('@mui/stylis-plugin-rtl').then(({ default: mirror }) =>
    createCache({ key: 'trtl', stylisPlugins: [mirror], ...shared }),
  )
  return rtlCache
}
