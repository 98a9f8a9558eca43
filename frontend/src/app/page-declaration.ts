import type { MenuEntry } from './layout/console/screens'
import type { AppRoute } from './routes'

export type PageDeclaration = Omit<AppRoute, 'page'> & {
  /** Its component, in `src`, which gets a chunk of its own. */
  module: string
  /** KB of JavaScript (gzip) that it may take to show the page: a tenth more than it takes. */
  budget: number
  /** For pages in the menu, in the search and among the shortcuts. */
  menu?: MenuEntry
  /** The build renders the page for guests; this text describes it to search engines. */
  description?: string
}
