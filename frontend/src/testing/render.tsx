import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, type RenderResult } from '@testing-library/react'
import { Suspense, type ReactElement, type ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { Toasts } from '@/components/Toasts'

type Options = { path?: string; state?: unknown; withToasts?: boolean }

/** Renders inside everything around the console's pages, with its own query client. */
export function renderWithProviders(element: ReactElement, options: Options = {}): RenderResult {
  const { path = '/', state, withToasts = false } = options
  const [pathname = '/', search] = path.split('?')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } })
  const Wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[{ pathname, search: search ? `?${search}` : '', state }]}>
      <QueryClientProvider client={client}>
        <Suspense fallback={null}>{children}</Suspense>
        {withToasts ? <Toasts /> : null}
      </QueryClientProvider>
    </MemoryRouter>
  )
  return render(element, { wrapper: Wrapper })
}
