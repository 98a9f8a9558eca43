import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { BrowserRouter } from 'react-router'
import { useSession } from '@/hooks/use-session'
import { PageLoader } from './PageLoader'
import { RouteBoundary } from './RouteBoundary'
import { Screen } from './Screen'
import styles from './SkipLink.module.css'

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
