import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Manifest, type Plugin, type ResolvedConfig } from 'vite'
import type { Prerendered } from '../src/prerender.tsx'
import { prerenderedPages } from './route-table.ts'

const inter = 'node_modules/.fonts/@fontsource-variable/inter/files/inter-latin-wght-normal.basic.woff2'
const noto =
  'node_modules/.fonts/@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.basic.woff2'
/** The letters most of a page is set in: known before the style sheet asks for them. */
const fonts = { en: inter, tr: inter, ar: noto }

// What our modules ask of a browser while they are being loaded.
const browser = {
  addEventListener: () => undefined,
  location: { pathname: '/' },
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
}

/** Writes `prerendered/{page}.{language}.html`: the first picture needs no script then. */
export function prerender(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'tessera:prerender',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(resolved) {
      config = resolved
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const web = resolve(config.root, config.build.outDir)
        const html = await readFile(join(web, 'index.html'), 'utf8')
        const manifest = JSON.parse(await readFile(join(web, '.vite/manifest.json'), 'utf8')) as Manifest
        await mkdir(join(web, 'prerendered'), { recursive: true })
        // Beside the packages it imports.
        const folder = await mkdtemp(join(config.root, 'node_modules/.prerender-'))
        const render = await rendererIn(folder, config)
        for (const { path, file, modules, description } of prerenderedPages) {
          const sheets = [...new Set([...linked(html), ...modules.flatMap((module) => stylesOf(module, manifest))])]
          const styles = await Promise.all(sheets.map((sheet) => readFile(join(web, sheet), 'utf8')))
          for (const page of await render(path, description)) {
            const font = manifest[fonts[page.language]]?.file ?? ''
            await writeFile(
              join(web, 'prerendered', `${file}.${page.language}.html`),
              fill(html, page, styled(sheets, styles), font),
            )
          }
        }
        await rm(folder, { recursive: true })
      },
    },
  }
}

type Render = (path: string, description: string) => Promise<Prerendered[]>

async function rendererIn(folder: string, { root, configFile }: ResolvedConfig): Promise<Render> {
  await build({
    root,
    ...(configFile ? { configFile } : {}),
    logLevel: 'warn',
    build: { ssr: 'src/prerender.tsx', outDir: folder, emptyOutDir: true, manifest: false, copyPublicDir: false },
  })
  Object.assign(globalThis, { window: browser })
  const module = (await import(pathToFileURL(join(folder, 'prerender.js')).href)) as { prerender: Render }
  return module.prerender
}

function stylesOf(module: string, manifest: Manifest, seen = new Set<string>()): string[] {
  const chunk = manifest[module]
  if (!chunk || seen.has(module)) return []
  seen.add(module)
  return [...(chunk.imports ?? []).flatMap((name) => stylesOf(name, manifest, seen)), ...(chunk.css ?? [])]
}

const sheetLink = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/g

function linked(html: string): string[] {
  return [...html.matchAll(sheetLink)].map(([, sheet = '']) => sheet)
}

/** The styles stand in the page, so that the first picture waits for no other file. Their links stay, and fetch
 *  nothing: by them the app knows what is there already. */
function styled(sheets: string[], styles: string[]): string {
  const links = sheets.map((sheet) => `<link rel="stylesheet" crossorigin disabled href="/${sheet}">`)
  return `<style nonce="__CSP_NONCE__">${styles.join('')}</style>${links.join('')}`
}

function fill(html: string, page: Prerendered, styles: string, font: string): string {
  return (
    html
      .replace(sheetLink, '')
      // The boot script starts the app, after the first picture.
      .replace(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, '')
      .replace(
        '<html lang="en" dir="ltr">',
        `<html lang="${page.language}" dir="${page.direction}" data-prerendered="${page.language}">`,
      )
      .replace(/<title>.*?<\/title>/, () => `<title>${page.title}</title>`)
      .replace(/(<meta\s+name="description"\s+content=")[^"]*/, (_, start: string) => start + escaped(page.description))
      .replace(
        '</head>',
        () => `${styles}<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}"></head>`,
      )
      .replace('<div id="root"></div>', () => `<div id="root">${page.markup}</div>`)
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
