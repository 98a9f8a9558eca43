import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { activeCompanyStore } from '@/app/active-company'
import { SETTINGS_KEY, settingsStore } from '@/lib/settings'
import { aLeader, aMember, anAdmin } from '@/testing/users'
import { companyActions, userActions, type FrameAction } from '../frame-actions'
import { initials } from '../toolbar/UserMenu'
import { renderFrame, serve, where } from './render-frame'

const admin = anAdmin({ firstName: 'Root', lastName: 'Admin' })
const leader = aLeader({ companyName: 'Northwind Ltd' })
const member = aMember()

const editCompany: FrameAction = {
  id: 'editCompany',
  labelKey: 'companyActions.edit',
  permission: 'company:edit',
  Icon: () => null,
}

beforeEach(() => {
  serve()
})

afterEach(() => {
  vi.unstubAllGlobals()
  companyActions.length = 0
  userActions.length = 0
  activeCompanyStore.select(null)
  settingsStore.clear()
})

describe('company badge', () => {
  it('names the own company, without a menu while there is nothing in it', async () => {
    await renderFrame(leader)
    expect(screen.getByLabelText('Company: Northwind Ltd')).toHaveTextContent('Northwind Ltd')
    expect(screen.queryByRole('button', { name: /Northwind/ })).not.toBeInTheDocument()
  })

  it('opens the actions the person may use', async () => {
    companyActions.push(editCompany, {
      ...editCompany,
      id: 'passphrase',
      labelKey: 'companyActions.passphrase',
      permission: 'x',
    })
    const user = userEvent.setup()
    await renderFrame(leader)
    await user.click(screen.getByRole('button', { name: /Northwind Ltd/ }))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Edit company',
      'API tokens',
      'Company identity',
      'Policies',
      'Export everything and leave',
    ])
    await user.click(screen.getByRole('menuitem', { name: 'Edit company' }))
    expect(await screen.findByRole('dialog', { name: 'Edit company' })).toBeInTheDocument()
  })

  it('names the company an admin selected, and none before', async () => {
    await renderFrame(admin)
    expect(screen.queryByLabelText(/^Company:/)).not.toBeInTheDocument()
    act(() => activeCompanyStore.select({ id: 12, name: 'Contoso' }))
    expect(screen.getByLabelText('Company: Contoso')).toBeInTheDocument()
  })

  // Specification: 2.52
  it('is absent for the company with id 1', async () => {
    await renderFrame(admin)
    act(() => activeCompanyStore.select({ id: 1, name: 'Tessera' }))
    expect(screen.queryByLabelText(/^Company:/)).not.toBeInTheDocument()
  })
})

describe('user menu', () => {
  async function open(person = leader) {
    const user = userEvent.setup()
    await renderFrame(person)
    await user.click(screen.getByRole('button', { name: new RegExp(`${person.firstName} ${person.lastName}`) }))
    return user
  }
  const entries = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)

  // Specification: 2.45
  it.each([
    [leader, 'Team Leader'],
    [member, 'Team Member'],
    [admin, 'admin'],
  ])('shows the name and the role', async (person, role) => {
    await renderFrame(person)
    expect(screen.getByRole('button', { name: new RegExp(`${person.lastName}, ${role}`) })).toBeInTheDocument()
    expect(screen.getByText(role)).toBeInTheDocument()
  })

  it('opens the actions of the features first', async () => {
    userActions.push({ ...editCompany, id: 'profile', labelKey: 'userActions.profile', permission: undefined })
    const user = await open()
    expect(entries()).toEqual(['Profile', 'Download', 'Help', 'Settings', 'Logout'])
    await user.click(screen.getByRole('menuitem', { name: 'Profile' }))
    expect(await screen.findByRole('dialog', { name: 'Profile' })).toBeInTheDocument()
  })

  // Specification: 2.46, 2.47
  it('offers download and help to the subscribed who may', async () => {
    await open()
    expect(entries()).toEqual(['Download', 'Help', 'Settings', 'Logout'])
  })

  // Specification: 2.47
  it('offers none without a subscription, and none to an admin', async () => {
    await open({ ...leader, isSubscribed: false })
    expect(entries()).toEqual(['Settings', 'Logout'])
  })

  // Specification: 4.11, 4.12
  it.each([
    ['answers', async () => new Response(null, { status: 204 })],
    ['fails', async () => new Response(null, { status: 500 })],
    ['is away', () => Promise.reject(new TypeError('network'))],
  ])('logs out when the server %s', async (_, other) => {
    const fetchMock = serve(undefined, other)
    const user = await open()
    settingsStore.update({ width: 'boxed', theme: 'dark' })
    activeCompanyStore.select({ id: 12, name: 'Contoso' })
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }))

    await waitFor(() => expect(where()).toBe('/login'))
    expect(fetchMock).toHaveBeenCalledWith('/api/auth/logout', expect.objectContaining({ method: 'POST' }))
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' })
    expect(localStorage.getItem('tessera.token')).toBeNull()
    expect(localStorage.getItem(SETTINGS_KEY)).toBeNull()
    expect(settingsStore.get().theme).toBe('system')
    expect(activeCompanyStore.get()).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })

  it('writes initials as the language does', () => {
    expect(initials('ipek', 'ışık', 'tr')).toBe('İI')
    expect(initials('ida', 'Berg', 'en')).toBe('IB')
    expect(initials('Prince', '', 'en')).toBe('P')
  })
})

describe('shortcuts', () => {
  // Specification: 1.21
  it('pins and unpins screens, and remembers them', async () => {
    const user = userEvent.setup()
    await renderFrame(leader)
    await user.click(screen.getByRole('button', { name: 'Shortcuts' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Warehouses' }))
    expect(screen.getByRole('menuitemcheckbox', { name: 'Warehouses' })).toBeChecked()
    expect(settingsStore.get().pins).toEqual(['warehouses'])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Warehouses' })).toHaveLength(2))

    await user.click(screen.getByRole('button', { name: 'Shortcuts' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Warehouses' }))
    expect(settingsStore.get().pins).toEqual([])
  })
})
