import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { Dialog } from '../dialog/Dialog'
import { DeleteIcon } from '../icons/DeleteIcon'
import { EditIcon } from '../icons/EditIcon'
import { Menu, MenuChoice, MenuItem } from './Menu'

const onEdit = vi.fn()
const onPin = vi.fn()
const onClose = vi.fn()

async function open() {
  onEdit.mockClear()
  const person = userEvent.setup()
  renderWithProviders(
    <Dialog title="Members" onClose={onClose}>
      <Menu label="Actions of Ada" className="" button="…" alignEnd>
        <MenuItem Icon={EditIcon} label="Edit" onClick={onEdit} />
        <MenuItem Icon={DeleteIcon} label="Delete" danger onClick={() => undefined} />
        <MenuItem Icon={DeleteIcon} label="Disable" onClick={() => undefined} />
        <MenuChoice checked={false} onClick={onPin}>
          Pin
        </MenuChoice>
      </Menu>
    </Dialog>,
  )
  const button = screen.getByRole('button', { name: 'Actions of Ada' })
  expect(button).toHaveAttribute('aria-haspopup', 'menu')
  expect(button).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByRole('menuitem')).toBeNull()
  await person.click(button)
  expect(button).toHaveAttribute('aria-expanded', 'true')
  expect(screen.getByRole('menu', { name: 'Actions of Ada' })).toBeVisible()
  return { person, button }
}

const item = (name: string) => screen.getByRole('menuitem', { name })

describe('Menu', () => {
  it('is walked through with arrows, Home, End and letters, round and round', async () => {
    const { person } = await open()
    expect(item('Edit')).toHaveFocus()
    await person.keyboard('{ArrowUp}')
    expect(screen.getByRole('menuitemcheckbox', { name: 'Pin' })).toHaveFocus()
    await person.keyboard('{ArrowDown}{ArrowDown}')
    expect(item('Delete')).toHaveFocus()
    await person.keyboard('d')
    expect(item('Disable')).toHaveFocus()
    await person.keyboard('d')
    expect(item('Delete')).toHaveFocus()
    await person.keyboard('{End}{Home}')
    expect(item('Edit')).toHaveFocus()
  })

  it('does what is chosen with the keyboard, and gives the focus back', async () => {
    const { person, button } = await open()
    await person.keyboard('{Enter}')
    expect(onEdit).toHaveBeenCalledOnce()
    expect(screen.queryByRole('menu')).toBeNull()
    expect(button).toHaveFocus()
  })

  it('stays open while things are switched on and off', async () => {
    const { person } = await open()
    await person.click(screen.getByRole('menuitemcheckbox', { name: 'Pin' }))
    expect(onPin).toHaveBeenCalledOnce()
    expect(screen.getByRole('menu')).toBeVisible()
  })

  it('closes alone on Escape, not the dialog around it', async () => {
    const { person, button } = await open()
    await person.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(button).toHaveFocus()
    expect(onClose).not.toHaveBeenCalled()
  })
})
