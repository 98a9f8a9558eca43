import type { Plugin } from 'vite'
import { prerenderedPages } from './route-table.ts'

type Chunk = {
  fileName: string
  imports: string[]
  exports: string[]
  moduleIds: string[]
  facadeModuleId: string | null
  viteMetadata?: { importedCss: Set<string> } | undefined
}

const boot = `(function(d){var e=d.documentElement,s={},g,k,u=location.pathname;
try{var l=localStorage;if(u==='/signup')k=/[?&]token=/.test(location.search)||(history.state||{}).linkToken||sessionStorage.getItem('tessera.signup');k=k||l.getItem('tessera.token');g=l.getItem('tessera.language');s=JSON.parse(l.getItem('tessera.settings'))||{}}catch(x){}
var t=s.theme;if(t!=='light'&&t!=='dark')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
e.dataset.theme=t;if(['en','tr','ar'].indexOf(g)<0)g=(navigator.language||'').slice(0,2).toLowerCase();
if(g!=='tr'&&g!=='ar')g='en';
var r=e.dataset.prerendered;if(r&&(k||r!==g))r=e.dataset.prerendered='';
e.lang=g;e.dir=g==='ar'?'rtl':'ltr';
var p=PAGES[u]||{},f=(p.page||[]).concat(p[g]||LOCALES[g]||[]),on;
function add(n,o){for(var a in o)n[a]=o[a];d.head.appendChild(n)}
function start(){if(on)return;on=1;
f.forEach(function(h){if(r===undefined||/js$/.test(h))add(d.createElement('link'),/js$/.test(h)?{rel:'modulepreload',href:h,crossOrigin:''}:{rel:'preload',as:'style',href:h,crossOrigin:''})});
if(r!==undefined)add(d.createElement('script'),{type:'module',src:'ENTRY',crossOrigin:''})}
if(r!==undefined)f=FIRST.concat(f);
if(r){var w=window;w.tesseraEarly=[];['click','change'].forEach(function(y){d.addEventListener(y,function(v){
var n=v.target.closest&&v.target.closest(y==='click'?'button':'select');if(n&&w.tesseraEarly){v.stopPropagation();w.tesseraEarly.push({target:n,value:n.value})}},true)})}
if(r&&!d.hidden){setTimeout(start,3e3);try{new PerformanceObserver(start).observe({type:'paint',buffered:true})}catch(x){start()}}else start()
})(document);`

/** A tiny classic script in the head: theme and direction before the first paint, and early fetches. A page that
 *  came rendered, but in another language than the chosen one, or for somebody who may be signed in or has begun to
 *  sign up, is hidden; one that is right is painted first, its scripts are fetched after that, and what is pressed
 *  meanwhile is noted. Its styles are inline and are not fetched. It is a separate file because the content
 *  security policy allows no inline script. */
export function bootScript(): Plugin {
  let dev = false
  let fileName = ''
  return {
    name: 'tessera:boot-script',
    // Before Vite writes index.html, which names the script.
    enforce: 'pre',
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    configResolved(config) {
      dev = config.command === 'serve'
    },
    configureServer(server) {
      server.middlewares.use('/boot.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript')
        response.end(fill({}, {}, '', []))
      })
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
      const entry = chunks.find((chunk) => chunk.isEntry && chunk.facadeModuleId?.endsWith('/index.html'))
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
        // What the visitor's first page needs besides the entry, to be fetched at once and not one step later.
        prerenderedPages.map(({ path, modules, texts }) => [
          path,
          {
            page: [...new Set(modules.flatMap(filesOf))],
            ...Object.fromEntries(languages.map((language) => [language, locale(language, texts)])),
          },
        ]),
      )
      const first = [...known].flatMap((file) => (file.endsWith('.js') && file !== entry?.fileName ? [`/${file}`] : []))
      const common = Object.fromEntries(languages.map((language) => [language, locale(language, ['common'])]))
      const reference = this.emitFile({
        type: 'asset',
        name: 'boot.js',
        source: fill(pages, common, `/${entry?.fileName ?? ''}`, first),
      })
      fileName = this.getFileName(reference)
    },
    transformIndexHtml: {
      order: 'post',
      // The console around the card form passes it language and theme.
      handler: (_html, { filename }) =>
        filename.endsWith('card.html')
          ? []
          : [{ tag: 'script', attrs: { src: dev ? '/boot.js' : `/${fileName}` }, injectTo: 'head-prepend' }],
    },
  }
}

function fill(pages: object, locales: object, entry: string, first: string[]): string {
  return boot
    .replace('PAGES', JSON.stringify(pages))
    .replace('LOCALES', JSON.stringify(locales))
    .replace('ENTRY', entry)
    .replace('FIRST', JSON.stringify(first))
}

function closure(chunk: Chunk, all: Chunk[], seen = new Set<string>()): string[] {
  if (seen.has(chunk.fileName)) return []
  // A chunk of styles alone is about to lose its empty script.
  if (chunk.exports.length > 0 || !chunk.moduleIds.every((id) => id.endsWith('.css'))) seen.add(chunk.fileName)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) seen.add(sheet)
  for (const name of chunk.imports) {
    const next = all.find((item) => item.fileName === name)
    if (next) closure(next, all, seen)
  }
  return [...seen]
}
