import createCache, { type EmotionCache } from '@emotion/cache'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
const shared = nonce ? { nonce } : {}

const ltr = Promise.resolve(createCache({ key: 't', ...shared }))
let rtl: Promise<EmotionCache> | undefined

/** Where MUI's styles are written. The mirroring is fetched only by those who read from right to left. */
export function styleCache(direction: 'ltr' | 'rtl'): Promise<EmotionCache> {
  if (direction === 'ltr') return ltr
  rtl ??= import('@mui/stylis-plugin-rtl').then(({ default: mirror }) =>
    createCache({ key: 'trtl', stylisPlugins: [mirror], ...shared }),
  )
  return rtl
}
