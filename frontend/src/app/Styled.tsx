import { lazy, Suspense, type ReactNode } from 'react'

const StyleProviders = lazy(() => import('./StyleProviders').then((module) => ({ default: module.StyleProviders })))

/** Around what is drawn with MUI, which is fetched when there is something to draw. */
export function Styled({ children, fallback = null }: { children: ReactNode; fallback?: ReactNode }) {
  return (
    <Suspense fallback={fallback}>
      <StyleProviders>{children}</StyleProviders>
    </Suspense>
  )
}
