import type { Plugin } from 'vite'
import type { PageDeclaration } from '../src/app/page-declaration.ts'
import { pages } from '../src/app/pages.ts'

/** Modules made of the declared pages. The menu is apart, because public pages do without it; what only the build needs
 *  is in neither. */
const modules: Record<string, string> = {
  'virtual:routes': `import { lazyPage } from '@/app/lazy-page'\nexport const routes = [${pages.map(routeOf).join()}]`,
  'virtual:menu': `export const menu = ${JSON.stringify(Object.fromEntries(pages.map(({ path, menu }) => [path, menu])))}`,
}

function routeOf({ path, screen, access, layout, resumes, texts, module }: PageDeclaration): string {
  const route = JSON.stringify({ path, screen, access, layout, resumes, texts })
  return `{ ...${route}, page: lazyPage(() => import('@/${module}')) }`
}

/** Serves the modules above, and notes the pages for the service, which has to know their paths, and the byte budget. */
export function routeTable(): Plugin {
  return {
    name: 'tessera:route-table',
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load: (id) => modules[id.slice(1)] ?? null,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '.vite/pages.json', source: JSON.stringify(pages) })
    },
  }
}

/** The pages that the build renders, and the modules that they consist of. */
export const prerenderedPages = pages
  .filter(({ description }) => description)
  .map(({ path, layout, module, texts, description = '' }) => ({
    path,
    file: path.slice(1) || 'index',
    modules: [...(layout === 'public' ? ['src/app/layout/PublicFrame.tsx'] : []), `src/${module}.tsx`],
    texts: ['common', ...texts],
    description,
  }))
