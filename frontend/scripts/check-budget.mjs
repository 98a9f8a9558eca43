// Sums what a browser fetches for each page, from the build's manifest, and fails when a page grew too heavy.
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const landing = 'src/features/content/LandingPage.tsx'
const consoleFrame = [
  'src/app/ConsoleProviders.tsx',
  'src/app/layout/console/ConsoleFrame.tsx',
  'src/app/SessionGuard.tsx',
  'src/i18n/locales/en/console.json',
  'src/i18n/locales/en/errors.json',
]
const consolePage = { around: consoleFrame, limit: 62 }

// Limits in KB: the landing page with everything, the others with what they need more. Those of the login, the
// sign-up and the console are closer than the design asks (80), a tenth above what the pages are.
const pages = {
  [landing]: { texts: ['content'], limit: 120 },
  'src/features/content/AgreementPage.tsx': { texts: ['agreement'], limit: 80 },
  'src/features/content/PrivacyPage.tsx': { texts: ['privacy'], limit: 80 },
  'src/features/content/DataProcessingPage.tsx': { texts: ['processing'], limit: 80 },
  'src/features/content/ApiReferencePage.tsx': { texts: ['reference', 'errors'], limit: 40 },
  'src/features/auth/LoginPage.tsx': { texts: ['auth', 'errors'], limit: 45 },
  'src/features/signup/register/RegisterPage.tsx': { texts: ['register', 'signup', 'auth', 'errors'], limit: 80 },
  'src/features/auth/ForgotPasswordPage.tsx': { texts: ['auth', 'errors'], limit: 80 },
  'src/features/auth/ResetPasswordPage.tsx': { texts: ['auth', 'errors'], limit: 80 },
  'src/features/auth/ConfirmEmailPage.tsx': { texts: ['auth', 'errors'], limit: 80 },
  'src/features/signup/SignupPage.tsx': { texts: ['signup', 'auth', 'errors'], limit: 29 },
  'src/app/AdminCompaniesPage.tsx': { texts: ['companies', 'table', 'auth'], ...consolePage },
  'src/app/AdminCompanyPage.tsx': { texts: ['companies', 'members', 'activity', 'table', 'auth'], ...consolePage },
  'src/app/AdminMembersPage.tsx': { texts: ['members', 'table'], ...consolePage },
  'src/features/signup/AccessRequestsPage.tsx': { texts: ['companies', 'table'], ...consolePage },
  'src/app/AdminActivityPage.tsx': { texts: ['activity', 'table'], ...consolePage },
  'src/features/members/MembersPage.tsx': { texts: ['members', 'table'], ...consolePage },
  'src/features/warehouses/WarehousesPage.tsx': { texts: ['warehouses', 'table'], ...consolePage },
  'src/features/storage/StoragePage.tsx': { texts: ['storage', 'warehouses'], ...consolePage },
  'src/features/subscription/SubscriptionPage.tsx': { texts: ['subscription'], ...consolePage },
  'src/features/activity/ActivityPage.tsx': { texts: ['activity', 'table'], ...consolePage },
  'src/features/content/FaqPage.tsx': { texts: ['faq'], ...consolePage },
  'src/features/content/DownloadPage.tsx': { texts: ['download', 'errors'], limit: 80 },
  'src/components/NotFoundPage.tsx': { texts: [], limit: 80 },
}
// What surrounds every console page, before the page itself: the rest is for the pages.
const emptyConsole = { texts: [], around: consoleFrame, limit: 35 }

const web = new URL('../../backend/tessera/web/', import.meta.url)
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

/** The scripts of a page: of the entry, of its own module, of its texts and of what surrounds it. */
function scriptsOf(modules, { texts, around = [] }) {
  const locales = ['common', ...texts].map((name) => `src/i18n/locales/en/${name}.json`)
  const files = new Set(['index.html', ...modules, ...locales, ...around].flatMap((module) => [...filesOf(module)]))
  // The boot script is an asset, which the manifest does not name.
  const boot = /src="\/(assets\/boot-[^"]+\.js)"/.exec(readFileSync(new URL('index.html', web), 'utf8'))
  if (boot) files.add(boot[1])
  return [...files].filter((file) => file.endsWith('.js'))
}

/** The client's page comes from the same computer; all of its screens together have one limit. */
function clientIsOver() {
  const limit = 200
  const folder = new URL('../../client/tessera_client/ui/web/', import.meta.url)
  const built = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8'))
  const files = new Set()
  const add = (name) => {
    const chunk = built[name]
    if (files.has(chunk.file) || /locales\/(tr|ar)\//.test(name)) return
    if (/locales\/en\//.test(name) && !/\/(client|common|auth)\.json$/.test(name)) return
    files.add(chunk.file)
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) add(next)
  }
  add('client.html')
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  const size = scripts.reduce(
    (sum, file) => sum + gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length,
    0,
  )
  console.log(
    `${'the client’s page, all screens'.padEnd(52)}${String(scripts.length).padStart(7)}${kb(size)}${kb(size)}${kb(limit * 1024)}`,
  )
  return size > limit * 1024
}

const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10)
const total = (files) => files.reduce((sum, file) => sum + gzipSize(file), 0)

const loaded = manifest['index.html'].dynamicImports.filter((module) => module.endsWith('Page.tsx'))
const unknown = loaded.filter((module) => !(module in pages))
if (unknown.length > 0) console.error(`Pages without a budget in scripts/check-budget.mjs: ${unknown.join(', ')}`)
let failed = unknown.length > 0

const landingFiles = scriptsOf([landing], pages[landing])
const rows = [
  ...Object.entries(pages).map(([module, page]) => [module, page, scriptsOf([module], page)]),
  ['an empty console', emptyConsole, scriptsOf([], emptyConsole)],
]
console.log('JavaScript to fetch, gzip'.padEnd(52) + '  files       all      more   at most')
for (const [module, { limit }, files] of rows) {
  const more = total(files.filter((file) => !landingFiles.includes(file)))
  const over = (module === landing ? total(files) : more) > limit * 1024
  failed ||= over
  console.log(
    module.padEnd(52) +
      String(files.length).padStart(7) +
      kb(total(files)) +
      kb(more) +
      kb(limit * 1024) +
      (over ? '  over the limit' : ''),
  )
}
failed ||= clientIsOver()
if (process.argv.includes('--files')) {
  for (const file of landingFiles) console.log(kb(gzipSize(file)), file)
}
process.exit(failed ? 1 : 0)
