import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { ConfirmDialog } from './ConfirmDialog'
import { Dialog } from './Dialog'
import { Drawer } from './Drawer'

/** A page with a dialog in which another one can be opened. */
function Page({ onClose }: { onClose?: () => void }) {
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const close = () => {
    onClose?.()
    setOpen(false)
  }
  return (
    <>
      <button onClick={() => setOpen(true)}>Edit</button>
      <Dialog open={open} onClose={close} title="Edit member">
        <input aria-label="Name" autoFocus />
        <button onClick={() => setAsking(true)}>Delete</button>
        <ConfirmDialog
          open={asking}
          destructive
          title="Delete Ada?"
          confirmLabel="Delete"
          onConfirm={() => undefined}
          onClose={() => setAsking(false)}
        />
      </Dialog>
    </>
  )
}

async function openPage(onClose?: () => void) {
  const person = userEvent.setup()
  renderWithProviders(<Page {...(onClose ? { onClose } : {})} />)
  const opener = screen.getByRole('button', { name: 'Edit' })
  await person.click(opener)
  return { person, opener, dialog: screen.getByRole('dialog', { name: 'Edit member' }) }
}

describe('Dialog', () => {
  it('takes the focus, hides the page, and gives the focus back on Escape', async () => {
    const { person, opener } = await openPage()
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    await person.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(opener).toHaveFocus()
  })

  it('focuses itself when nothing in it asks for the focus', () => {
    renderWithProviders(
      <Dialog title="Sent">
        <button>Close</button>
      </Dialog>,
    )
    expect(screen.getByRole('dialog', { name: 'Sent' })).toHaveFocus()
  })

  it('closes on a click beside it, but not when a press began inside', async () => {
    const onClose = vi.fn()
    const { dialog } = await openPage(onClose)
    fireEvent.pointerDown(screen.getByRole('textbox'))
    fireEvent.click(dialog)
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.pointerDown(dialog)
    fireEvent.click(dialog)
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('stays on a click beside it where a stray click would cost something', () => {
    const onClose = vi.fn()
    renderWithProviders(
      <Dialog title="Code" onClose={onClose} closesOnOutsideClick={false}>
        <input />
      </Dialog>,
    )
    fireEvent.pointerDown(screen.getByRole('dialog'))
    fireEvent.click(screen.getByRole('dialog'))
    expect(onClose).not.toHaveBeenCalled()
  })

  it('closes one by one when nested', async () => {
    const { person, dialog, opener } = await openPage()
    const inner = screen.getByRole('button', { name: 'Delete' })
    await person.click(inner)
    expect(screen.getByRole('alertdialog', { name: 'Delete Ada?' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    expect(screen.queryByRole('dialog')).toBeNull()
    await person.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBe(dialog)
    expect(inner).toHaveFocus()
    await person.keyboard('{Escape}')
    expect(opener).toHaveFocus()
  })

  it('cannot be left while it must not be closed', async () => {
    renderWithProviders(<Dialog title="Signed out">Log in again.</Dialog>)
    await userEvent.keyboard('{Escape}{Escape}')
    expect(screen.getByRole('dialog')).toHaveAttribute('closedby', 'none')
  })
})

describe('Drawer', () => {
  it('is a dialog at a side that follows the direction of the language', async () => {
    const onClose = vi.fn()
    renderWithProviders(
      <Drawer title="Settings" closeLabel="Close panel" side="end" onClose={onClose}>
        Theme
      </Drawer>,
    )
    expect(screen.getByRole('dialog', { name: 'Settings' })).toHaveAttribute('data-placement', 'end')
    await userEvent.click(screen.getByRole('button', { name: 'Close panel' }))
    expect(onClose).toHaveBeenCalledOnce()
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
