import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { Dialog } from './dialog/Dialog'
import { toast, toastStore } from './toast'
import { Toasts } from './Toasts'

const pass = (milliseconds: number) => {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  renderWithProviders(<Toasts />)
})

afterEach(() => {
  act(() => {
    for (const { id } of toastStore.get()) toastStore.dismiss(id)
  })
  vi.useRealTimers()
})

describe('Toasts', () => {
  // Specification: 8.1
  it('keeps product toasts for 3 seconds', () => {
    act(() => {
      toast.success('Member Updated')
    })
    pass(2900)
    expect(screen.getByText('Member Updated')).toBeVisible()
    pass(200)
    expect(screen.queryByText('Member Updated')).toBeNull()
  })

  // Specification: 8.3
  it('keeps others for 6 seconds', () => {
    act(() => {
      toast.info('Processing...')
    })
    pass(5900)
    expect(screen.getByText('Processing...')).toBeVisible()
    pass(200)
    expect(screen.queryByText('Processing...')).toBeNull()
  })

  it('stands still under the pointer and goes on with the time that was left', () => {
    act(() => {
      toast.error('Could not Update Member')
    })
    const region = screen.getByRole('region', { name: 'Notifications' })
    pass(2000)
    fireEvent.mouseEnter(region)
    pass(20_000)
    expect(screen.getByText('Could not Update Member')).toBeVisible()
    fireEvent.mouseLeave(region)
    pass(900)
    expect(screen.getByText('Could not Update Member')).toBeVisible()
    pass(200)
    expect(screen.queryByText('Could not Update Member')).toBeNull()
  })

  it('announces politely, and errors at once', () => {
    expect(screen.getByRole('region', { name: 'Notifications' })).toHaveAttribute('aria-live', 'polite')
    act(() => {
      toast.error('Could not Delete Company')
    })
    expect(screen.getByRole('alert')).toHaveTextContent('Could not Delete Company')
  })

  it('moves into an open dialog, outside which nothing is heard, and back', () => {
    const view = renderWithProviders(<Dialog title="Edit member">Name</Dialog>)
    act(() => {
      toast.success('Member Updated')
    })
    const region = screen.getByRole('region', { name: 'Notifications' })
    expect(screen.getByRole('dialog')).toContainElement(region)
    expect(region).toHaveTextContent('Member Updated')
    view.unmount()
    expect(screen.getByRole('region', { name: 'Notifications' }).parentElement).toBe(document.body)
    expect(screen.getAllByText('Member Updated')).toHaveLength(1)
  })

  it('can be put away, and says a thing once', () => {
    act(() => {
      toast.success('Member Updated')
      toast.success('Member Updated')
    })
    expect(screen.getAllByText('Member Updated')).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Member Updated')).toBeNull()
  })
})
