import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settingsStore } from '@/lib/settings'
import { aLeader } from '@/testing/users'
import { renderFrame, serve } from './render-frame'

const leader = aLeader({ companyName: 'Northwind Ltd' })

beforeEach(() => {
  serve()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  settingsStore.clear()
})

describe('a toolbar menu', () => {
  async function open() {
    const user = userEvent.setup()
    await renderFrame(leader)
    const button = screen.getByRole('button', { name: /Ada Lindqvist/ })
    await user.click(button)
    return { user, button }
  }

  it('is walked through with arrows, Home, End and letters', async () => {
    const { user, button } = await open()
    expect(button).toHaveAttribute('aria-expanded', 'true')
    const [download, help, settings, logout] = screen.getAllByRole('menuitem')
    expect(download).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(help).toHaveFocus()
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(logout).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(download).toHaveFocus()
    await user.keyboard('{End}')
    expect(logout).toHaveFocus()
    await user.keyboard('{Home}s')
    expect(settings).toHaveFocus()
  })

  it('gives the focus back on Escape', async () => {
    const { user, button } = await open()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
    expect(button).toHaveFocus()
    expect(button).toHaveAttribute('aria-expanded', 'false')
  })

  it('closes on Tab, on a second press and on a press elsewhere', async () => {
    const { user, button } = await open()
    await user.tab()
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
    await user.click(button)
    expect(screen.getByRole('menu')).toBeInTheDocument()
    await user.click(button)
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
    await user.click(button)
    await user.click(screen.getByRole('heading', { name: 'Screen' }))
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  })

  it('starts at the language in use', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await user.click(screen.getByRole('button', { name: /English/ }))
    expect(screen.getByRole('menuitemradio', { name: 'English' })).toHaveFocus()
    expect(screen.getByRole('menuitemradio', { name: 'English' })).toBeChecked()
  })
})

describe('the menu on a phone', () => {
  it('opens over the page and closes with its button', async () => {
    const { matchMedia } = window
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(matchMedia(query), { matches: query.includes('max-width') }),
    )
    const user = userEvent.setup()
    await renderFrame(leader)
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Open menu' }))
    const menu = within(await screen.findByRole('dialog', { name: 'Main menu' }))
    expect(menu.getByRole('link', { name: 'Warehouses' })).toHaveAttribute('href', '/warehouses')
    await user.click(menu.getByRole('button', { name: 'Close menu' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })
})
