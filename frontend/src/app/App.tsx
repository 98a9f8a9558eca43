import { lazy, Suspense } from 'react'
import { BrowserRouter } from 'react-router'
import { useSession } from '@/hooks/use-session'
import { PageLoader } from './PageLoader'
import { RouteBoundary } from './RouteBoundary'
import { Screen } from './Screen'
import { SkipLink } from './SkipLink'

const SessionGuard = lazy(() => import('./SessionGuard'))

function Guarded() {
  return useSession().status === 'signedIn' ? <SessionGuard /> : null
}

/** Everything inside the router, of which the build has one of its own. */
export function AppBody() {
  return (
    <>
      <SkipLink />
      <RouteBoundary>
        <Suspense fallback={<PageLoader />}>
          <Screen />
        </Suspense>
        <Suspense fallback={null}>
          <Guarded />
        </Suspense>
      </RouteBoundary>
    </>
  )
}

export function App() {
  return (
    <BrowserRouter>
      <AppBody />
    </BrowserRouter>
  )
}
