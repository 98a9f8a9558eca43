import { matchPath } from 'react-router'
import type { Access } from './access'
import { lazyPage, type LazyPage } from './lazy-page'

export type AppRoute = {
  path: string
  /** Key of its name under `screens` in the common texts. */
  screen: string
  access: Access
  layout: 'public' | 'bare' | 'console'
  /** A public page to return to after a login that began there. */
  resumes?: boolean
  /** The namespace of its texts, to be fetched beside it; all that it needs, where the build renders it. */
  texts?: string | readonly string[]
  page: LazyPage
}

export const routes: readonly AppRoute[] = [
  {
    path: '/',
    screen: 'landing',
    access: 'public',
    layout: 'public',
    texts: 'content',
    page: lazyPage(() => import('@/features/content/LandingPage')),
  },
  {
    path: '/agreement',
    screen: 'agreement',
    access: 'public',
    layout: 'public',
    texts: 'agreement',
    page: lazyPage(() => import('@/features/content/AgreementPage')),
  },
  {
    path: '/privacy',
    screen: 'privacy',
    access: 'public',
    layout: 'public',
    texts: 'privacy',
    page: lazyPage(() => import('@/features/content/PrivacyPage')),
  },
  {
    path: '/data-processing',
    screen: 'processing',
    access: 'public',
    layout: 'public',
    texts: 'processing',
    page: lazyPage(() => import('@/features/content/DataProcessingPage')),
  },
  {
    path: '/api',
    screen: 'api',
    access: 'public',
    layout: 'public',
    texts: 'reference',
    page: lazyPage(() => import('@/features/content/ApiReferencePage')),
  },
  {
    path: '/login',
    screen: 'login',
    access: 'guest',
    layout: 'public',
    texts: ['auth', 'errors'],
    page: lazyPage(() => import('@/features/auth/LoginPage')),
  },
  {
    path: '/register',
    screen: 'register',
    access: 'guest',
    layout: 'public',
    texts: 'register',
    page: lazyPage(() => import('@/features/signup/register/RegisterPage')),
  },
  {
    path: '/forgot-password',
    screen: 'forgotPassword',
    access: 'public',
    layout: 'public',
    texts: 'auth',
    page: lazyPage(() => import('@/features/auth/ForgotPasswordPage')),
  },
  {
    path: '/reset-password',
    screen: 'resetPassword',
    access: 'public',
    layout: 'public',
    texts: 'auth',
    page: lazyPage(() => import('@/features/auth/ResetPasswordPage')),
  },
  {
    path: '/confirm-email',
    screen: 'confirmEmail',
    access: 'public',
    layout: 'public',
    resumes: true,
    texts: 'auth',
    page: lazyPage(() => import('@/features/auth/ConfirmEmailPage')),
  },
  {
    path: '/signup',
    screen: 'signup',
    access: 'guest',
    layout: 'bare',
    texts: ['signup', 'auth', 'errors'],
    page: lazyPage(() => import('@/features/signup/SignupPage')),
  },
  {
    path: '/admin/companies',
    screen: 'companies',
    access: { permission: 'companies:manage' },
    layout: 'console',
    texts: 'companies',
    page: lazyPage(() => import('@/app/AdminCompaniesPage')),
  },
  {
    path: '/admin/companies/:id',
    screen: 'company',
    access: { permission: 'companies:manage' },
    layout: 'console',
    texts: ['companies', 'warehouses'],
    page: lazyPage(() => import('@/app/AdminCompanyPage')),
  },
  {
    path: '/admin/members',
    screen: 'members',
    access: { permission: 'companies:manage' },
    layout: 'console',
    texts: 'members',
    page: lazyPage(() => import('@/app/AdminMembersPage')),
  },
  {
    path: '/admin/access-requests',
    screen: 'accessRequests',
    access: { permission: 'companies:manage' },
    layout: 'console',
    texts: 'companies',
    page: lazyPage(() => import('@/features/signup/AccessRequestsPage')),
  },
  {
    path: '/admin/activity',
    screen: 'activity',
    access: { permission: 'activity:readAll' },
    layout: 'console',
    texts: 'activity',
    page: lazyPage(() => import('@/app/AdminActivityPage')),
  },
  {
    path: '/team-members',
    screen: 'teamMembers',
    access: { permission: 'members:manage', needsSubscription: true },
    layout: 'console',
    texts: 'members',
    page: lazyPage(() => import('@/features/members/MembersPage')),
  },
  {
    path: '/warehouses',
    screen: 'warehouses',
    access: { permission: 'warehouses:manage', needsSubscription: true, needsWarehouses: true },
    layout: 'console',
    texts: 'warehouses',
    page: lazyPage(() => import('@/features/warehouses/WarehousesPage')),
  },
  {
    path: '/storage',
    screen: 'storage',
    access: { permission: 'storage:manage', needsSubscription: true },
    layout: 'console',
    texts: ['storage', 'warehouses'],
    page: lazyPage(() => import('@/features/storage/StoragePage')),
  },
  {
    path: '/subscription',
    screen: 'subscription',
    access: { permission: 'subscription:manage' },
    layout: 'console',
    texts: 'subscription',
    page: lazyPage(() => import('@/features/subscription/SubscriptionPage')),
  },
  {
    path: '/activity',
    screen: 'activity',
    access: { permission: 'activity:read', needsSubscription: true },
    layout: 'console',
    texts: 'activity',
    page: lazyPage(() => import('@/features/activity/ActivityPage')),
  },
  {
    path: '/faq',
    screen: 'faq',
    access: { permission: 'help:read', needsSubscription: true },
    layout: 'console',
    texts: 'faq',
    page: lazyPage(() => import('@/features/content/FaqPage')),
  },
  {
    path: '/download',
    screen: 'download',
    access: { permission: 'client:download', needsSubscription: true },
    layout: 'public',
    texts: 'download',
    page: lazyPage(() => import('@/features/content/DownloadPage')),
  },
]

export const notFoundRoute: AppRoute = {
  path: '*',
  screen: 'notFound',
  access: 'public',
  layout: 'public',
  page: lazyPage(() => import('@/components/NotFoundPage')),
}

export const publicFrame = lazyPage(() => import('@/app/layout/PublicFrame'))

/** Loads a route's page and its frame, if that is the public one. */
export function preload({ layout, page }: AppRoute): Promise<unknown> {
  return Promise.all([page.preload(), layout === 'public' ? publicFrame.preload() : undefined])
}

/** The route of a path, which may carry a query or a fragment. */
export function findRoute(path: string): AppRoute | undefined {
  const [pathname = ''] = path.split(/[?#]/)
  return routes.find((route) => matchPath(route.path, pathname))
}
