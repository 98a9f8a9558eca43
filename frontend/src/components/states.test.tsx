import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { EmptyState } from './EmptyState'
import { ErrorState } from './ErrorState'
import NotFoundPage from './NotFoundPage'

describe('EmptyState', () => {
  it('shows its words and the next step', () => {
    renderWithProviders(
      <EmptyState title="No Registered User" text="Invite somebody." actions={<button>Invite</button>} />,
    )
    expect(screen.getByRole('heading', { level: 2, name: 'No Registered User' })).toBeVisible()
    expect(screen.getByText('Invite somebody.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Invite' })).toBeVisible()
  })
})

describe('ErrorState', () => {
  it('says what happened and tries again', () => {
    const retry = vi.fn()
    renderWithProviders(<ErrorState title="Members could not be loaded" requestId="r-17" onRetry={retry} />)
    expect(screen.getByRole('alert')).toHaveTextContent('Members could not be loaded')
    expect(screen.getByText('r-17')).toHaveAttribute('dir', 'ltr')
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(retry).toHaveBeenCalledOnce()
  })

  it('has its own text and no button when nothing can be repeated', () => {
    renderWithProviders(<ErrorState />)
    expect(screen.getByRole('heading', { name: 'Loading failed' })).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('NotFoundPage', () => {
  it('leads back to the start', () => {
    renderWithProviders(<NotFoundPage />)
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Page not found')
    expect(screen.getByRole('link', { name: 'Go to home page' })).toHaveAttribute('href', '/')
  })
})
