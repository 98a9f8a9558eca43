import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router'
import { vi } from 'vitest'
import { sessionStore, type User } from '@/api/session'
import { i18n, initI18n } from '@/i18n/i18n'
import ConsoleFrame from '../ConsoleFrame'
import { companyActions, userActions } from '../frame-actions'
import { quickPanelSections } from '../panels/QuickPanel'
import { searchProviders } from '../search/search-providers'

// The frame is tested by itself: a test adds the entries it is about.
for (const registry of [companyActions, userActions, quickPanelSections, searchProviders]) registry.length = 0

export const config = {
  mode: 'sandbox' as 'sandbox' | 'production',
  chatUrl: null as string | null,
  cardOrigin: 'http://127.0.0.1:8001',
  version: '1.2.3',
}

/** Answers `/api/config`; everything else as told. */
export function serve(
  answer = config,
  other: () => Promise<Response> = async () => new Response(null, { status: 204 }),
) {
  const fetchMock = vi.fn((input: RequestInfo | URL) => {
    const path = new URL(input instanceof Request ? input.url : String(input), 'http://localhost').pathname
    return path === '/api/config' ? Promise.resolve(Response.json(answer)) : other()
  })
  vi.stubGlobal('fetch', fetchMock)
  return fetchMock
}

function Where() {
  return <p data-testid="where">{useLocation().pathname}</p>
}

export function where(): string | null {
  return screen.getByTestId('where').textContent
}

export function withProviders(children: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

export async function loadTexts(language = 'en') {
  await initI18n()
  await i18n.changeLanguage(language)
  await i18n.loadNamespaces(['console', 'overlays'])
}

/** The frame around an empty screen, for the given person. The session stays out of `App`: no guard interferes. */
export async function renderFrame(user: User, path = '/somewhere') {
  await loadTexts()
  // Fetched lazily by the frame; here it is at hand, so that no test waits for it.
  await import('../FrameOverlays')
  sessionStore.signIn('header.payload.signature', user)
  const element = (
    <>
      <ConsoleFrame>
        <h1>Screen</h1>
      </ConsoleFrame>
      <Where />
    </>
  )
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] })
  return render(withProviders(<RouterProvider router={router} />))
}
