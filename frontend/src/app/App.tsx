import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { BrowserRouter, useLocation } from 'react-router'
import { useSession } from '@/hooks/use-session'
import { PageLoader } from './PageLoader'
import { RouteBoundary } from './RouteBoundary'
import { Screen } from './Screen'
import styles from './SkipLink.module.css'

const SessionGuard = lazy(() => import('./SessionGuard'))

const Toasts = lazy(() => import('@/components/Toasts').then((module) => ({ default: module.Toasts })))
const never = () => () => undefined

/** One for all layouts, so that a toast outlives the page that raised it. The landing page raises none and is
 *  spared the script; the build renders none. */
function ToastRegion() {
  const { pathname } = useLocation()
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return inBrowser && pathname !== '/' ? <Toasts /> : null
}

function Guarded() {
  return useSession().status === 'signedIn' ? <SessionGuard /> : null
}

/** Everything inside the router; the build renders it in another router. */
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
        <Suspense fallback={null}>
          <ToastRegion />
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

function SkipLink() {
  const { t } = useTranslation()
  return (
    <a
      className={styles.skip}
      href="#content"
      onClick={(event) => {
        event.preventDefault()
        const main = document.querySelector('main')
        if (!main) return
        main.tabIndex = -1
        main.focus()
      }}
    >
      {t('skipToContent')}
    </a>
  )
}
