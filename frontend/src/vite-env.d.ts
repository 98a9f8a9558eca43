/// <reference types="vite/client" />

declare const __APP_VERSION__: string

declare module '*?url&inline' {
  const address: string
  export default address
}

declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs'

declare module 'virtual:menu' {
  import type { MenuEntry } from '@/app/layout/console/screens'

  export const menu: Record<string, MenuEntry | undefined>
}

declare module 'virtual:routes' {
  import type { AppRoute } from '@/app/routes'

  export const routes: readonly AppRoute[]
}
