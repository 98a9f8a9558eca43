import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Modules of `src` that several pages need, by the chunk they are bundled in. Left to the bundler, each set of pages
 * that shares something gets its own file, and many small files compress worse. A group also takes what its modules
 * import, unless a group before it has it.
 */
const sharedChunks: Record<string, readonly string[]> = {
  // All pages.
  shell: [
    'api/home',
    'api/link-token',
    'api/session',
    'api/storage',
    'app/App',
    'app/PageLoader',
    'theme/theme-mode',
    'components/EmptyState',
    'components/ErrorState',
    'components/TesseraMark',
    'components/icons/create-icon',
    'components/TileArt',
    'components/Button',
    'components/Spinner',
    'components/Tip',
    'components/state.module',
    'hooks/use-session',
    'i18n/format',
    'i18n/i18n',
    'i18n/languages',
    'lib/create-store',
    'lib/deferred',
    'lib/hydration-replay',
    'lib/settings',
    'lib/support-email',
  ],
  // All pages with data from the server.
  client: [
    'api/client',
    'api/errors',
    'components/Skeleton',
    'components/Toasts',
    'components/icons/EnableIcon',
    'components/icons/ExpandIcon',
    'components/toast',
  ],
  // Loaded by the console's frame, and by the dialogs of public pages.
  dialog: ['components/dialog/Dialog'],
  // What runs while somebody is signed in, on any page.
  signedIn: [
    'api/one-time-code',
    'api/user',
    'api/verification',
    'app/SessionGuard',
    'components/LtrValue',
    'features/auth/idle-store',
    'features/auth/inactivity/idle-watch',
    'features/auth/language',
    'hooks/use-secret-mutation',
  ],
  // The frame of the console.
  frame: [
    'api/query-client',
    'app/ConsoleProviders',
    'app/active-company',
    'app/layout/console/ConsoleFrame',
    'app/layout/console/menu/SideMenu',
    'app/layout/console/toolbar',
    'app/layout/console/screens',
    'app/layout/console/frame-actions',
    'app/layout/console/use-logout',
    'components/PageHeader',
    'hooks/use-media-query',
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
    'components/table/use-table-state',
  ],
  tabs: ['components/Tabs'],
  table: [
    'components/Chip',
    'components/icons/DeleteIcon',
    'components/icons/DisableIcon',
    'components/table/ExportButton',
    'components/table/ServerTable',
    'hooks/use-csv-export',
  ],
  companies: ['features/companies/api'],
  members: [
    'features/members/MembersPage',
    'features/members/page/RegisteredMembers',
    'features/members/api',
    'features/invites/api',
  ],
  warehouse: [
    'features/warehouses/ProviderMark',
    'features/warehouses/StatusChip',
    'features/warehouses/warehouse-name',
  ],
  // Forms of public pages.
  forms: [
    'components/AuthCard',
    'components/forms/CheckField.module',
    'components/forms/CodeField',
    'components/forms/Field',
    'components/forms/MutationError',
    'components/forms/PasswordField',
    'components/forms/SmsCodeForm',
    'components/forms/field.module',
    'components/forms/layout',
    'components/phone/default-country',
    'hooks/use-fetch',
    'hooks/use-seconds-left',
  ],
  schemas: ['components/forms/schemas', 'components/forms/use-api-form'],
  keys: ['crypto/derive', 'crypto/keyring', 'crypto/passphrase', 'crypto/user-keys'],
  password: ['components/forms/PasswordCriteria', 'crypto/password-rules', 'crypto/patterns'],
  signup: [
    'features/signup/StepLayout',
    'features/signup/TicketForm',
    'features/signup/draft',
    'features/signup/signup.module',
    'features/signup/api',
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
