import type { Plugin } from 'vite'

type Chunk = {
  fileName: string
  imports: string[]
  facadeModuleId: string | null
  viteMetadata?: { importedCss: Set<string> } | undefined
}

/** What the visitor's first page needs besides the entry, so that it is fetched at once and not one step later. */
const firstPages: Record<string, { page: string; namespaces: string[] }> = {
  '/': { page: 'src/features/content/LandingPage.tsx', namespaces: ['common', 'content'] },
  '/login': { page: 'src/features/auth/LoginPage.tsx', namespaces: ['common', 'auth'] },
  '/agreement': { page: 'src/features/content/AgreementPage.tsx', namespaces: ['common', 'agreement'] },
}

const boot = `(function(d){var e=d.documentElement,s={},g;
try{var l=localStorage;s=JSON.parse(l.getItem('tessera.settings'))||{};g=l.getItem('tessera.language')}catch(x){}
var t=s.theme;if(t!=='light'&&t!=='dark')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
e.dataset.theme=t;if(['en','tr','ar'].indexOf(g)<0)g=(navigator.language||'').slice(0,2).toLowerCase();
if(g!=='tr'&&g!=='ar')g='en';e.lang=g;e.dir=g==='ar'?'rtl':'ltr';
var p=PAGES[location.pathname]||{},f=(p.page||[]).concat(p[g]||LOCALES[g]||[]);
f.forEach(function(h){var k=d.createElement('link');if(/js$/.test(h))k.rel='modulepreload';else{k.rel='preload';k.as='style'};k.href=h;k.crossOrigin='';d.head.appendChild(k)})
})(document);`

/** A tiny classic script in the head: theme and direction before the first paint, and early fetches.
 *  It is a file of its own because the content security policy allows no inline script. */
export function bootScript(): Plugin {
  let dev = false
  let fileName = ''
  return {
    name: 'tessera:boot-script',
    // Before Vite writes index.html, which names the script.
    enforce: 'pre',
    configResolved(config) {
      dev = config.command === 'serve'
    },
    configureServer(server) {
      server.middlewares.use('/boot.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript')
        response.end(fill({}, {}))
      })
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
      const entry = chunks.find((chunk) => chunk.isEntry)
      const known = new Set(entry ? closure(entry, chunks) : [])
      const filesOf = (module: string) => {
        const chunk = chunks.find((item) => item.facadeModuleId?.endsWith(`/${module}`))
        if (!chunk) return []
        return closure(chunk, chunks).flatMap((file) => (known.has(file) ? [] : [`/${file}`]))
      }
      const locale = (language: string, namespaces: string[]) =>
        namespaces.flatMap((name) => filesOf(`src/i18n/locales/${language}/${name}.json`))
      const languages = ['en', 'tr', 'ar']
      const pages = Object.fromEntries(
        Object.entries(firstPages).map(([path, { page, namespaces }]) => [
          path,
          { page: filesOf(page), ...Object.fromEntries(languages.map((language) => [language, locale(language, namespaces)])) },
        ]),
      )
      const common = Object.fromEntries(languages.map((language) => [language, locale(language, ['common'])]))
      const reference = this.emitFile({ type: 'asset', name: 'boot.js', source: fill(pages, common) })
      fileName = this.getFileName(reference)
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: dev ? '/boot.js' : `/${fileName}` }, injectTo: 'head-prepend' }],
    },
  }
}

function fill(pages: object, locales: object): string {
  return boot.replace('PAGES', JSON.stringify(pages)).replace('LOCALES', JSON.stringify(locales))
}

function closure(chunk: Chunk, all: Chunk[], seen = new Set<string>()): string[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) seen.add(sheet)
  for (const name of chunk.imports) {
    const next = all.find((item) => item.fileName === name)
    if (next) closure(next, all, seen)
  }
  return [...seen]
}
