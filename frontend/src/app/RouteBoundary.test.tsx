import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import { renderWithProviders } from '@/testing/render'
import { RouteBoundary } from './RouteBoundary'

function Broken({ error }: { error: Error }): never {
  throw error
}

const show = (error: Error) =>
  renderWithProviders(
    <RouteBoundary>
      <Broken error={error} />
    </RouteBoundary>,
  )

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('RouteBoundary', () => {
  it('offers to reload a page that crashed', () => {
    show(new Error('boom'))
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Something went wrong on this page')
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
  })

  it('names the request that failed', () => {
    show(new ApiError({ status: 500, code: 'internal', message: '', requestId: 'r-42' }))
    expect(screen.getByText('r-42')).toBeVisible()
  })

  it('tells a page that could not be fetched from one that crashed', () => {
    show(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'))
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Could not load this page')
  })
})
