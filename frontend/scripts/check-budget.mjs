// Sums what a browser fetches to show each page, from the build's notes, and fails when a page is over its budget.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const consoleFrame = [
  'src/app/ConsoleProviders.tsx',
  'src/app/layout/console/ConsoleFrame.tsx',
  'src/app/SessionGuard.tsx',
  'src/components/Toasts.tsx',
  'src/i18n/locales/en/console.json',
  'src/i18n/locales/en/errors.json',
]
const frames = { public: ['src/app/layout/PublicFrame.tsx'], bare: [], console: consoleFrame }
// The client's page comes from the same computer; all of its screens together have one limit.
const clientBudget = 198
// The recovery kit's reader is one file, as it lies on a disk.
const kitBudget = 500
// The page of a share is one file too, with its workers and all languages.
const shareBudget = 90
const requestBudget = 60
// The frame that draws PDF files, fetched only when somebody wants to see one.
const pdfBudget = 800

const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10)
const json = (file) => JSON.parse(readFileSync(file, 'utf8'))
const locale = (name) => `src/i18n/locales/en/${name}.json`

/** The scripts that a build's modules are in, with all that is loaded together with them. */
function scriptsOf(manifest, modules, links = ['imports'], skip = () => false) {
  const files = new Set()
  const add = (module) => {
    const chunk = manifest[module]
    if (!chunk) throw new Error(`${module} has no chunk of its own in the build`)
    if (files.has(chunk.file) || skip(module)) return
    files.add(chunk.file)
    for (const link of links) for (const next of chunk[link] ?? []) add(next)
  }
  for (const module of modules) add(module)
  return [...files].filter((file) => file.endsWith('.js'))
}

let failed = false
function report(name, folder, files, budget) {
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length, 0)
  const over = size > budget * 1024
  failed ||= over
  const row = name.padEnd(32) + String(files.length).padStart(7) + kb(size) + `${budget} KB`.padStart(10)
  console.log(row + (over ? '  over the budget' : ''))
}

const web = new URL('../../backend/tessera/web/', import.meta.url)
if (!existsSync(new URL('.vite/pages.json', web))) {
  console.error('There is no build yet: run `npm run build` first.')
  process.exit(1)
}
const manifest = json(new URL('.vite/manifest.json', web))
// The boot script is an asset, which the manifest does not name.
const [boot] = /assets\/boot-[^"]+\.js/.exec(readFileSync(new URL('index.html', web), 'utf8'))

console.log('JavaScript to fetch, gzip'.padEnd(32) + '  files       all    budget')
for (const { path, module, layout, texts, budget } of json(new URL('.vite/pages.json', web))) {
  const banner = layout === 'console' && !path.startsWith('/admin/') ? ['src/app/layout/console/CompanyBanner.tsx'] : []
  const modules = ['index.html', `src/${module}.tsx`, ...frames[layout], ...banner, ...['common', ...texts].map(locale)]
  report(path, web, [boot, ...scriptsOf(manifest, modules)], budget)
}

report('/s/…, all of the page', web, ['share.html'], shareBudget)
report('/s/pdf, only for PDF files', web, ['pdf.html'], pdfBudget)
report('/r/…, all of the page', web, ['request.html'], requestBudget)

const client = new URL('../../client/tessera_client/ui/web/', import.meta.url)
const unread = (module) => /locales\/(?!en\/(client|common|auth|terms)\.json)/.test(module)
const links = ['imports', 'dynamicImports']
const clientFiles = scriptsOf(json(new URL('.vite/manifest.json', client)), ['client.html'], links, unread)
report('the client’s page', client, clientFiles, clientBudget)

const kit = statSync(new URL('kit.html', client)).size
failed ||= kit > kitBudget * 1000
console.log('kit.html, not compressed'.padEnd(39) + kb(kit) + `${kitBudget} KB`.padStart(10))
process.exit(failed ? 1 : 0)
