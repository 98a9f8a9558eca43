import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Modules of `src` that several pages need, by the chunk they are bundled in. Left to the bundler, each set of pages
 * that shares something gets its own file, and many small files compress worse. A group also takes what its modules
 * import, unless a group before it has it.
 *
 * Measured on all routes, gzip: with the packages alone 4 to 11 percent more on all but two (landing page 126.7 KB
 * instead of 120.3, members 170.2 instead of 153.6). Rolldown's `entriesAware` merging triples a page.
 */
const sharedChunks: Record<string, readonly string[]> = {
  // All pages.
  shell: [
    'api/link-token',
    'app/App',
    'theme/theme-mode',
    'components/EmptyState',
    'components/TesseraMark',
    'components/icons/create-icon',
    'i18n/format',
    'lib/deferred',
  ],
  // All pages with data from the server.
  client: [
    'api/client',
    'api/one-time-code',
    'api/user',
    'api/verification',
    'components/Skeleton',
    'components/Toasts',
    'components/LtrValue',
    'components/icons/EnableIcon',
    'components/icons/ExpandIcon',
    'features/auth/language',
    'hooks/use-fetch',
    'hooks/use-secret-mutation',
    'lib/passkey-support',
  ],
  // Also has the icons of the settings.
  publicFrame: ['app/layout/PublicFrame'],
  // Loaded by the console's frame, and by public pages.
  menu: ['components/menu/Menu'],
  dialog: ['components/dialog/Dialog'],
  // What runs while somebody is signed in, on any page.
  signedIn: ['app/SessionGuard'],
  // The frame of the console.
  frame: [
    'app/ConsoleProviders',
    'app/layout/console/ConsoleFrame',
    'app/layout/console/toolbar',
    'components/PageHeader',
    'hooks/use-open-request',
    'hooks/use-toast-mutation',
  ],
  // What the frame shows to team leaders.
  banner: ['app/layout/console/CompanyBanner'],
  // Lists that the server pages.
  paging: [
    'components/table/NoResults',
    'components/table/Pager',
    'components/table/SearchField',
    'components/table/is-on-control',
    'components/table/list-query',
  ],
  tabs: ['components/Tabs'],
  table: [
    'components/icons/DeleteIcon',
    'components/icons/DisableIcon',
    'components/table/ExportButton',
    'components/table/ServerTable',
    'components/table/use-list',
    'hooks/use-export',
  ],
  members: ['features/members/MembersPage'],
  warehouse: ['features/warehouses/ProviderMark', 'features/warehouses/StatusChip'],
  // Forms of public pages.
  forms: [
    'components/AuthCard',
    'components/forms/PasswordField',
    'components/forms/Form',
    'components/forms/MutationError',
    'hooks/use-seconds-left',
    'components/phone/default-country',
  ],
  code: ['components/forms/SmsCodeForm'],
  schemas: ['components/forms/schemas', 'components/forms/use-api-form'],
  keys: ['crypto/keyring', 'crypto/user-keys'],
  password: ['components/forms/PasswordCriteria'],
  signup: [
    'features/signup/StepLayout',
    'features/signup/TicketForm',
    'features/signup/draft',
    'hooks/use-dialog-promise',
  ],
}

const packageChunks: Record<string, readonly string[]> = {
  core: ['react', 'react-dom', 'scheduler', 'react-router', 'i18next', 'react-i18next'],
  data: ['@tanstack/query-core', '@tanstack/react-query'],
  zod: ['zod'],
}

// Only the search, which is loaded later, asks several queries at once.
const searchOnly = /\/(useQueries|queriesObserver)\.js$/

const source = fileURLToPath(new URL('../src/', import.meta.url))
const endings = ['', '.ts', '.tsx', '.css']

for (const path of Object.values(sharedChunks).flat()) {
  if (!endings.some((ending) => existsSync(source + path + ending))) throw new Error(`src/${path} does not exist`)
}

function isIn(paths: readonly string[]) {
  return (id: string) => paths.some((path) => [`${path}/`, `${path}.`].some((start) => id.startsWith(source + start)))
}

export const chunkGroups = [
  ...Object.entries(packageChunks).map(([name, packages]) => ({
    name,
    test: (id: string) => packages.some((path) => id.includes(`/node_modules/${path}/`)) && !searchOnly.test(id),
  })),
  ...Object.entries(sharedChunks).map(([name, paths]) => ({ name, test: isIn(paths) })),
]
