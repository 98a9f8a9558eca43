import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Modules of `src` that several pages need, by the chunk they are bundled in. Left to the bundler, each set of pages
 * that shares something gets its own file: the landing page then takes 25 files and 122 KB of JavaScript (limit
 * 120), the login page 57 files, and the console frame 49 files and 36 KB (limit 35).
 */
const sharedChunks: Record<string, readonly string[]> = {
  // All pages.
  shell: [
    'api/home',
    'api/link-token',
    'api/session',
    'api/storage',
    'app/PageLoader',
    'theme/theme-mode',
    'components/EmptyState',
    'components/ErrorState',
    'components/TesseraMark',
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
  client: ['api/client', 'api/errors', 'crypto/errors', 'hooks/use-fetch', 'lib/copy-text', 'lib/save-file'],
  toasts: ['components/Toasts', 'components/toast'],
  // The frame of the console.
  frame: [
    'app/active-company',
    'app/layout/console/menu',
    'app/layout/console/toolbar',
    'app/layout/console/screens',
    'app/layout/console/frame-actions',
    'app/layout/console/use-logout',
    'components/PageHeader',
    'components/icons',
    'hooks/use-media-query',
  ],
  // Lists that the server pages.
  list: ['components/Chip', 'components/table/ServerTable'],
  warehouse: [
    'features/warehouses/ProviderMark',
    'features/warehouses/StatusChip',
    'features/warehouses/warehouse-type',
  ],
  // What runs while somebody is signed in, on any page.
  signedIn: [
    'api/one-time-code',
    'api/user',
    'api/verification',
    'components/LtrValue',
    'features/auth/idle-store',
    'features/auth/inactivity/idle-watch',
    'features/auth/language',
    'features/auth/api',
    'hooks/use-secret-mutation',
    'hooks/use-seconds-left',
  ],
  // Forms of public pages.
  forms: [
    'components/AuthCard',
    'components/Skeleton',
    'components/forms/CheckField.module',
    'components/forms/CodeField',
    'components/forms/Field',
    'components/forms/FormError',
    'components/forms/PasswordField',
    'components/forms/SmsCodeForm',
    'components/forms/field.module',
    'components/forms/form.module',
    'components/phone/default-country',
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
  mui: ['@emotion', 'stylis', '@mui/system', '@mui/styled-engine', '@mui/private-theming', '@mui/material/styles'],
}

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
    test: (id: string) => packages.some((path) => id.includes(`/node_modules/${path}/`)),
  })),
  ...Object.entries(sharedChunks).map(([name, paths]) => ({ name, test: isIn(paths) })),
]
