// Sums what a browser fetches for each page, from the build's manifest, and fails when a page grew too heavy.
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const landing = 'src/features/content/LandingPage.tsx'
const publicFrame = ['src/app/layout/PublicFrame.tsx']
const consoleFrame = [
  'src/app/ConsoleProviders.tsx',
  'src/app/layout/console/ConsoleFrame.tsx',
  'src/app/SessionGuard.tsx',
  'src/components/Toasts.tsx',
  'src/i18n/locales/en/console.json',
  'src/i18n/locales/en/errors.json',
]
// Limits in KB. Everything that a page of the console loads to be shown: the frame, the texts, the page.
const adminPage = { around: consoleFrame, total: 150 }
const companyPage = { around: [...consoleFrame, 'src/app/layout/console/CompanyBanner.tsx'], total: 150 }

// The landing page with everything, the other public pages with what they need more. Those of the login and the
// sign-up are closer than the design asks (80), a tenth above what the pages are.
const pages = {
  [landing]: { texts: ['content'], around: publicFrame, total: 120 },
  'src/features/content/AgreementPage.tsx': { texts: ['agreement'], around: publicFrame, more: 80 },
  'src/features/content/PrivacyPage.tsx': { texts: ['privacy'], around: publicFrame, more: 80 },
  'src/features/content/DataProcessingPage.tsx': { texts: ['processing'], around: publicFrame, more: 80 },
  'src/features/content/ApiReferencePage.tsx': { texts: ['reference', 'errors'], around: publicFrame, more: 40 },
  'src/features/auth/LoginPage.tsx': { texts: ['auth', 'errors'], around: publicFrame, more: 45 },
  'src/features/signup/register/RegisterPage.tsx': {
    texts: ['register', 'signup', 'auth', 'errors'],
    around: publicFrame,
    more: 80,
  },
  'src/features/auth/ForgotPasswordPage.tsx': { texts: ['auth', 'errors'], around: publicFrame, more: 80 },
  'src/features/auth/ResetPasswordPage.tsx': { texts: ['auth', 'errors'], around: publicFrame, more: 80 },
  'src/features/auth/ConfirmEmailPage.tsx': { texts: ['auth', 'errors'], around: publicFrame, more: 80 },
  'src/features/signup/SignupPage.tsx': { texts: ['signup', 'auth', 'errors'], more: 29 },
  'src/app/AdminCompaniesPage.tsx': { texts: ['companies', 'table'], ...adminPage },
  'src/app/AdminCompanyPage.tsx': { texts: ['companies', 'warehouses'], ...adminPage },
  'src/app/AdminMembersPage.tsx': { texts: ['members', 'table'], ...adminPage },
  'src/features/signup/AccessRequestsPage.tsx': { texts: ['companies', 'table'], ...adminPage },
  'src/app/AdminActivityPage.tsx': { texts: ['activity', 'table'], ...adminPage },
  'src/features/members/MembersPage.tsx': { texts: ['members', 'table'], ...companyPage },
  'src/features/warehouses/WarehousesPage.tsx': { texts: ['warehouses', 'table'], ...companyPage },
  'src/features/storage/StoragePage.tsx': { texts: ['storage', 'warehouses'], ...companyPage },
  'src/features/subscription/SubscriptionPage.tsx': { texts: ['subscription'], ...companyPage },
  'src/features/activity/ActivityPage.tsx': { texts: ['activity', 'table'], ...companyPage },
  'src/features/content/FaqPage.tsx': { texts: ['faq'], ...companyPage },
  'src/features/content/DownloadPage.tsx': { texts: ['download', 'errors'], around: publicFrame, more: 80 },
  'src/components/NotFoundPage.tsx': { texts: [], around: publicFrame, more: 80 },
}
// What surrounds every page of the console, before the page itself: the rest is for the pages.
const emptyConsole = { texts: [], around: companyPage.around, more: 33 }

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
    `${'the client’s page, all screens'.padEnd(52)}${String(scripts.length).padStart(7)}${kb(size)}${kb(size)}${`${limit} KB`.padStart(11)}`,
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
console.log('JavaScript to fetch, gzip'.padEnd(52) + '  files       all      more    at most')
for (const [module, { total: all, more }, files] of rows) {
  const sizes = { all: total(files), more: total(files.filter((file) => !landingFiles.includes(file))) }
  const over = all ? sizes.all > all * 1024 : sizes.more > more * 1024
  failed ||= over
  console.log(
    module.padEnd(52) +
      String(files.length).padStart(7) +
      kb(sizes.all) +
      kb(sizes.more) +
      (all ? `${all} KB` : `${more} KB more`).padStart(11) +
      (over ? '  over the limit' : ''),
  )
}
failed ||= clientIsOver()
if (process.argv.includes('--files')) {
  for (const file of landingFiles) console.log(kb(gzipSize(file)), file)
}
process.exit(failed ? 1 : 0)
