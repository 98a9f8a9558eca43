import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SETTINGS_KEY, settingsStore } from '@/lib/settings'
import { aLeader, anAdmin } from '@/testing/users'
import { quickPanelSections } from '../panels/QuickPanel'
import { config, renderFrame, serve } from './render-frame'

const admin = anAdmin({ firstName: 'Root', lastName: 'Admin' })
const leader = aLeader({ companyName: 'Northwind Ltd' })

beforeEach(() => {
  serve()
})

afterEach(() => {
  vi.unstubAllGlobals()
  quickPanelSections.length = 0
  settingsStore.clear()
})

describe('settings panel', () => {
  async function open() {
    const user = userEvent.setup()
    await renderFrame(leader)
    await user.click(screen.getByRole('button', { name: /Ada Lindqvist/ }))
    await user.click(screen.getByRole('menuitem', { name: 'Settings' }))
    return { user, panel: await screen.findByRole('dialog', { name: 'Settings' }) }
  }
  const stored = () => JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? '{}') as unknown

  // Specification: 1.19
  it('changes and keeps layout and theme', async () => {
    const { user, panel } = await open()
    for (const name of ['Dark', 'Right', 'Collapsed', 'Boxed'])
      await user.click(within(panel).getByRole('radio', { name }))
    expect(stored()).toEqual({ menuSide: 'end', folded: true, width: 'boxed', theme: 'dark', pins: [] })
  })

  it('goes back to the defaults but keeps the pins', async () => {
    settingsStore.update({ theme: 'dark', pins: ['activity'] })
    const { user, panel } = await open()
    await user.click(within(panel).getByRole('button', { name: 'Restore defaults' }))
    expect(stored()).toMatchObject({ theme: 'system', pins: ['activity'] })
  })

  it('closes with Escape', async () => {
    const { user } = await open()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })
})

describe('settings store', () => {
  it.each(['not json', '42', 'null', '{"theme":"pink","pins":"all","folded":"yes"}'])('survives %s', (text) => {
    localStorage.setItem(SETTINGS_KEY, text)
    window.dispatchEvent(new StorageEvent('storage', { key: SETTINGS_KEY }))
    expect(settingsStore.get()).toEqual({ menuSide: 'start', folded: false, width: 'full', theme: 'system', pins: [] })
  })

  it('follows another tab', () => {
    localStorage.setItem(SETTINGS_KEY, '{"theme":"dark"}')
    window.dispatchEvent(new StorageEvent('storage', { key: SETTINGS_KEY }))
    expect(settingsStore.get().theme).toBe('dark')
  })
})

describe('quick panel', () => {
  async function open(person = leader) {
    const user = userEvent.setup()
    await renderFrame(person)
    await user.click(screen.getByRole('button', { name: 'Quick panel' }))
    return screen.findByRole('dialog', { name: 'Quick panel' })
  }

  it('says honestly that there is nothing', async () => {
    expect(within(await open()).getByRole('heading', { name: 'Nothing here yet' })).toBeInTheDocument()
  })

  // Specification: 1.22
  it('shows the sections meant for the person', async () => {
    quickPanelSections.push(
      {
        id: 'subscription',
        titleKey: 'quickPanel.subscription',
        isFor: () => true,
        Section: () => <p>12 days left</p>,
      },
      {
        id: 'warehouses',
        titleKey: 'quickPanel.warehouses',
        isFor: ({ companyId }) => companyId !== 1,
        Section: () => <p>3</p>,
      },
    )
    const panel = await open(admin)
    expect(within(panel).getByRole('region', { name: 'Subscription' })).toHaveTextContent('12 days left')
    expect(within(panel).queryByRole('region', { name: 'Warehouse status' })).not.toBeInTheDocument()
  })
})

describe('footer and chat', () => {
  it('tells version, agreement and language', async () => {
    await renderFrame(leader)
    const footer = screen.getByRole('contentinfo')
    expect(await within(footer).findByText('Tessera 1.2.3')).toBeInTheDocument()
    expect(within(footer).getByRole('link', { name: 'User Agreement' })).toHaveAttribute('href', '/agreement')
    expect(within(footer).getByText('English')).toBeInTheDocument()
  })

  it('has no chat unless one is set', async () => {
    await renderFrame(leader)
    await screen.findByText('Tessera 1.2.3')
    expect(screen.queryByRole('button', { name: 'Open chat' })).not.toBeInTheDocument()
  })

  it('loads the chat into a sandboxed frame when first opened', async () => {
    serve({ ...config, chatUrl: 'https://chat.example/widget' })
    const user = userEvent.setup()
    await renderFrame(leader)
    const button = await screen.findByRole('button', { name: 'Open chat' })
    expect(screen.queryByTitle('Chat')).not.toBeInTheDocument()
    await user.click(button)
    const frame = screen.getByTitle('Chat')
    expect(frame).toHaveAttribute('sandbox', 'allow-scripts allow-forms allow-popups allow-same-origin')
    await user.click(screen.getByRole('button', { name: 'Close chat' }))
    expect(frame).not.toBeVisible()
  })
})
