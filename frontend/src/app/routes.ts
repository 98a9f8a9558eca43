import { matchPath } from 'react-router'
import { routes } from 'virtual:routes'
import type { Access } from './access'
import { lazyPage, type LazyPage } from './lazy-page'

/** A page as the browser knows it; `pages.ts` declares it. */
export type AppRoute = {
  path: string
  /** Key of its title under `screens` in the common texts, and of its search words in the overlays' texts. */
  screen: string
  access: Access
  layout: 'public' | 'bare' | 'console'
  /** A public page to return to after a login that began there. */
  resumes?: true
  /** The namespaces of its texts, fetched beside it. */
  texts: readonly string[]
  page: LazyPage
}

export const publicFrame = lazyPage(() => import('@/app/layout/PublicFrame'))

/** Loads a route's page and its frame, if that is the public one. */
export function preload({ layout, page }: AppRoute): Promise<unknown> {
  return Promise.all([page.preload(), layout === 'public' ? publicFrame.preload() : undefined])
}

/** The route of a path, which may carry a query or a fragment. */
export function findRoute(path: string): AppRoute {
  const [pathname = ''] = path.split(/[?#]/)
  // The last one matches every path.
  return routes.find((route) => matchPath(route.path, pathname)) as AppRoute
}
