// Sums what a browser fetches for each route, from the build's manifest, and fails when a page grew too heavy.
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const landingLimit = 120 * 1024
const laterLimit = 80 * 1024
// What surrounds every console screen, before the screen itself: the rest is for the pages.
const frameLimit = 35 * 1024
// Held closer than the design asks, a tenth above what they are: what is met first, and what is used daily.
const closerLimits = { '/login': 45 * 1024, '/signup': 29 * 1024 }
const consoleLimit = 62 * 1024

const web = new URL('../../backend/tessera/web/', import.meta.url)
const source = new URL('../', import.meta.url)
const manifestFile = new URL('.vite/manifest.json', web)
if (!existsSync(manifestFile)) {
  console.error('There is no build yet: run `npm run build` first.')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
const sizes = new Map()

function gzipSize(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, web)), { level: 9 }).length)
  return sizes.get(file)
}

/** A module's chunk and everything that is loaded together with it. */
function filesOf(module, found = new Set()) {
  const chunk = manifest[module]
  if (!chunk) throw new Error(`${module} has no chunk of its own in the build`)
  if (found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const name of chunk.imports ?? []) filesOf(name, found)
  return found
}

/** `'@/x/Y'` as it stands in an import, to the manifest's name for it. */
function moduleOf(specifier) {
  const path = specifier.replace('@/', 'src/')
  const file = [path, `${path}.tsx`, `${path}.ts`].find((name) => name in manifest)
  if (!file) throw new Error(`${specifier} is not in the build`)
  return file
}

const table = readFileSync(new URL('src/app/routes.tsx', source), 'utf8')
const laidOut = table.slice(table.indexOf('export const routes'))
const routes = laidOut
  .split(/(?=\bpath: ')/)
  .slice(1)
  .map((text) => ({
    path: /path: '([^']+)'/.exec(text)?.[1],
    layout: /layout: '([^']+)'/.exec(text)?.[1],
    page: moduleOf(/import\('([^']+)'\)/.exec(text)?.[1]),
  }))

/** Namespaces that a page's own modules ask for; they are fetched as soon as it renders. */
function localesOf(module, seen = new Set()) {
  const found = new Set()
  const walk = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    const file = new URL(name, source)
    const text = readFileSync(file, 'utf8')
    for (const [, list] of text.matchAll(/useTranslation\(([^)]*)\)/g)) {
      for (const [, namespace] of list.matchAll(/'([a-z][\w-]*)'/gi)) found.add(namespace)
    }
    for (const [, target] of text.matchAll(/^(?:import|export) [^'"]*from '([^']+)'|^import '([^']+)'/gm)) {
      const next = resolve(name, target ?? '')
      if (next) walk(next)
    }
  }
  walk(module)
  found.add('common')
  return [...found].map((namespace) => `src/i18n/locales/en/${namespace}.json`).filter((name) => name in manifest)
}

function resolve(from, specifier) {
  if (!/^(@\/|\.)/.test(specifier)) return null
  const base = specifier.startsWith('@/')
    ? new URL(specifier.replace('@/', 'src/'), source)
    : new URL(specifier, new URL(from, source))
  const name = ['.tsx', '.ts', '']
    .map((end) => base.href + end)
    .find((href) => /\.tsx?$/.test(href) && existsSync(new URL(href)))
  return name ? name.slice(source.href.length) : null
}

function loadFor(route) {
  const modules = [route.page]
  if (route.layout === 'console') {
    modules.push('src/app/ConsoleProviders.tsx', 'src/app/layout/console/ConsoleFrame.tsx', 'src/app/SessionGuard.tsx')
  }
  const files = new Set(filesOf('index.html'))
  for (const module of modules) {
    for (const file of filesOf(module)) files.add(file)
    for (const locale of localesOf(module)) for (const file of filesOf(locale)) files.add(file)
  }
  const boot = /src="\/(assets\/boot-[^"]+\.js)"/.exec(readFileSync(new URL('index.html', web), 'utf8'))
  if (boot) files.add(boot[1])
  return [...files].filter((file) => file.endsWith('.js'))
}

const emptyConsole = { path: 'an empty console', layout: 'console', page: moduleOf('@/components/NotFoundPage') }

function limitOf(route) {
  if (route === emptyConsole) return frameLimit
  return closerLimits[route.path] ?? (route.layout === 'console' ? consoleLimit : laterLimit)
}

const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10)
const total = (files) => files.reduce((sum, file) => sum + gzipSize(file), 0)

const landingFiles = new Set(loadFor(routes.find((route) => route.path === '/')))
const landing = total([...landingFiles])
let failed = landing > landingLimit

console.log(
  'JavaScript to fetch, gzip'.padEnd(28) +
    'files'.padStart(7) +
    'all'.padStart(10) +
    'more'.padStart(10) +
    'at most'.padStart(10),
)
for (const route of [...routes, emptyConsole]) {
  const files = loadFor(route)
  const more = total(files.filter((file) => !landingFiles.has(file)))
  const limit = limitOf(route)
  const over = route.path === '/' ? landing > landingLimit : more > limit
  failed ||= over
  console.log(
    route.path.padEnd(28) +
      String(files.length).padStart(7) +
      kb(total(files)) +
      kb(more) +
      kb(route.path === '/' ? 0 : limit) +
      (over ? '  over the limit' : ''),
  )
}
console.log(`The landing page: at most ${kb(landingLimit).trim()} in all.`)
if (process.argv.includes('--files')) {
  for (const file of landingFiles) console.log(kb(gzipSize(file)), file)
}
process.exit(failed ? 1 : 0)
