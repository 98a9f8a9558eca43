import { Suspense } from 'react'
import { BrowserRouter } from 'react-router'
import { PageWait } from './PageWait'
import { RouteBoundary } from './RouteBoundary'
import { Screen } from './Screen'
import { SkipLink } from './SkipLink'

export function App() {
  return (
    <BrowserRouter>
      <SkipLink />
      <RouteBoundary>
        <Suspense fallback={<PageWait />}>
          <Screen />
        </Suspense>
      </RouteBoundary>
    </BrowserRouter>
  )
}
