import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { Button } from './Button'
import { ConfirmDialog } from './dialog/ConfirmDialog'

describe('Button', () => {
  it('says why it is disabled', () => {
    renderWithProviders(
      <Button type="submit" disabledReason="Enter a name first.">
        Save
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Save' })
    expect(button).toBeDisabled()
    const wrapper = button.parentElement!
    expect(wrapper).toHaveAccessibleDescription('Enter a name first.')
    act(() => wrapper.focus())
    expect(screen.getByRole('tooltip', { hidden: true })).toHaveTextContent('Enter a name first.')
  })

  it('cannot be pressed while its work is under way', () => {
    renderWithProviders(
      <Button type="submit" pending>
        Save
      </Button>,
    )
    expect(screen.getByRole('button')).toBeDisabled()
    expect(screen.getByRole('progressbar')).toBeVisible()
  })
})

describe('ConfirmDialog', () => {
  const show = (pending: boolean) => {
    const onConfirm = vi.fn()
    const onClose = vi.fn()
    renderWithProviders(
      <ConfirmDialog
        open
        destructive
        title="Delete Northwind?"
        confirmLabel="Delete"
        pending={pending}
        onConfirm={onConfirm}
        onClose={onClose}
      >
        42 members lose their access.
      </ConfirmDialog>,
    )
    return { onConfirm, onClose }
  }

  it('confirms, or is left', () => {
    const { onConfirm, onClose } = show(false)
    expect(screen.getByRole('alertdialog', { name: 'Delete Northwind?' })).toHaveTextContent('42 members')
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(onConfirm).toHaveBeenCalledOnce()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('stays while the work is under way', () => {
    const { onClose } = show(true)
    fireEvent.keyDown(screen.getByRole('alertdialog'), { key: 'Escape' })
    expect(onClose).not.toHaveBeenCalled()
  })
})
