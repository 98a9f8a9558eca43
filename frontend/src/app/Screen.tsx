import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation } from 'react-router'
import type { Session } from '@/api/session'
import { useSession } from '@/hooks/use-session'
import { afterLogin, decide } from './access'
import styles from './layout/BareFrame.module.css'
import { wantedPath, type NavigationState } from './navigation-state'
import { PageLoader } from './PageLoader'
import { RouteBoundary } from './RouteBoundary'
import { RouteFocus } from './RouteFocus'
import { findRoute, publicFrame, type AppRoute } from './routes'

const ConsoleProviders = lazy(() => import('./ConsoleProviders'))
const SessionExpiredDialog = lazy(() => import('@/features/auth/SessionExpiredDialog'))
const ConsoleFrame = lazy(() => import('./layout/console/ConsoleFrame'))

type Parts = { route: AppRoute; children: ReactNode }

function Content({ route }: { route: AppRoute }) {
  const { t } = useTranslation()
  const name = t(`screens.${route.screen}`)
  const { Component: Page } = route.page
  // The error boundary is new for each page, Suspense is not: the old page stays until the next one has loaded.
  return (
    <Suspense fallback={<PageLoader />}>
      <title>{route.path === '/' ? name : t('titles.page', { name })}</title>
      <RouteBoundary key={route.path}>
        <Page />
      </RouteBoundary>
      <RouteFocus />
    </Suspense>
  )
}

function Layout({ route, children }: Parts) {
  if (route.layout === 'public') return <publicFrame.Component route={route}>{children}</publicFrame.Component>
  if (route.layout === 'bare') return <BareFrame>{children}</BareFrame>
  return (
    <RouteBoundary>
      <Suspense fallback={<PageLoader />}>
        <ConsoleProviders>
          <ConsoleFrame>{children}</ConsoleFrame>
        </ConsoleProviders>
      </Suspense>
    </RouteBoundary>
  )
}

/** Chooses the page by URL, session and route table. */
export function Screen() {
  const location = useLocation()
  const session = useSession()
  const route = findRoute(location.pathname)
  const decision = decide(route, session)
  const { ended, acknowledge } = useSessionEnd(session)

  if ('redirect' in decision) {
    const from = wantedPath(location)
    if (route.access === 'guest') {
      return <Navigate to={afterLogin(session, from ? findRoute(from) : undefined, from)} replace />
    }
    if (ended) {
      return (
        <Suspense fallback={<PageLoader />}>
          <SessionExpiredDialog onLogin={acknowledge} />
        </Suspense>
      )
    }
    const loggedOut = session.status === 'guest' && session.reason === 'loggedOut'
    const state: NavigationState = loggedOut ? {} : { from: `${location.pathname}${location.search}` }
    return <Navigate to={decision.redirect} replace state={state} />
  }
  if ('wait' in decision) return <PageLoader />
  return (
    <Layout route={route}>
      <Content route={route} />
    </Layout>
  )
}

/** The page without header, menu and footer. */
function BareFrame({ children }: { children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1} className={styles.main}>
      {children}
    </main>
  )
}

/** Whether the session expired while the console was in use, until the user acknowledges it. A session that had
 *  expired before the page was opened is reported on the login page instead. */
function useSessionEnd(session: Session): { ended: boolean; acknowledge: () => void } {
  const signedIn = session.status === 'signedIn'
  const refused = session.status === 'guest' && session.reason === 'expired'
  const [atWork, setAtWork] = useState(signedIn)
  if (signedIn && !atWork) setAtWork(true)
  if (session.status === 'guest' && !refused && atWork) setAtWork(false)
  return { ended: atWork && refused, acknowledge: () => setAtWork(false) }
}
