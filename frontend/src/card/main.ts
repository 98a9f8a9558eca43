import '@/theme/fonts.css'
import '@/theme/tokens.css'
import '@/theme/base.css'
import './card.css'
import { startCardPage } from './card-page'
import { liveProvider } from './live-provider'
import { sandboxProvider } from './sandbox-provider'

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''
}

const place = document.getElementById('card')
// Opened by itself, or by a page that is not the console, it stays empty.
if (place && window.parent !== window) {
  const sandbox = meta('sandbox')
  startCardPage({
    place,
    parents: meta('parents').split(' ').filter(Boolean),
    provider: sandbox ? sandboxProvider(sandbox) : liveProvider(),
  })
}
