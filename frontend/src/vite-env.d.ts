/// <reference types="vite/client" />

declare const __APP_VERSION__: string

declare module 'virtual:menu' {
  export const menu: Record<string, import('./app/layout/console/screens').MenuEntry | undefined>
}

declare module 'virtual:routes' {
  export const routes: readonly import('./app/routes').AppRoute[]
}
