import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router'
import { describe, expect, it, vi } from 'vitest'
import { openRequest, useOpenRequest } from './use-open-request'

function Page({ actions }: { actions: Record<string, () => void> | null }) {
  useOpenRequest(actions)
  const location = useLocation()
  return (
    <p>
      {location.search} {JSON.stringify(location.state)}
    </p>
  )
}

function page(actions: Record<string, () => void> | null, state: unknown) {
  const router = createMemoryRouter([{ path: '*', element: <Page actions={actions} /> }], {
    initialEntries: [{ pathname: '/warehouses', search: '?q=x', state }],
  })
  return render(<RouterProvider router={router} />)
}

describe('a navigation that asks a page to open something', () => {
  it('is fulfilled once and forgotten', async () => {
    const add = vi.fn()
    page({ add, remove: vi.fn() }, openRequest('add'))
    expect(await screen.findByText('?q=x null')).toBeInTheDocument()
    expect(add).toHaveBeenCalledOnce()
  })

  it('waits for the page', () => {
    page(null, openRequest('add'))
    expect(screen.getByText(/"open":"add"/)).toBeInTheDocument()
  })

  it.each([null, 'add', { open: 7 }, { from: '/x' }])('ignores %j', (state) => {
    const add = vi.fn()
    page({ add }, state)
    expect(add).not.toHaveBeenCalled()
  })

  it('ignores what the page does not have', async () => {
    const add = vi.fn()
    page({ add }, openRequest('fly'))
    expect(await screen.findByText('?q=x null')).toBeInTheDocument()
    expect(add).not.toHaveBeenCalled()
  })
})
