import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sessionStore, type User } from '@/api/session'
import { verificationStore } from '@/api/verification'
import { pageOf, Where } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader, anAdmin } from '@/testing/users'
import MembersPage from '../MembersPage'
import { aMemberRow, disabledRow, leaderRow } from '@/testing/members'

const omar = aMemberRow()
const everyone = [leaderRow, omar, disabledRow]

type Handlers = Parameters<typeof serve>[0]

function open(
  user: User,
  {
    path = '/team-members',
    more = {},
    rows = everyone,
  }: { path?: string; more?: Handlers; rows?: typeof everyone } = {},
) {
  const company = user.role === 'admin' ? { id: 7, name: 'Pinecrest' } : undefined
  const end = company ? '/7' : ''
  const server = serve({
    [`GET /api/users${end}`]: (call) => pageOf(rows, call),
    [`GET /api/user/team-leader${end}`]: () => ok(leaderRow),
    [`GET /api/invites${end}`]: () => ok({ item1: [], item2: 0 }),
    ...more,
  })
  sessionStore.signIn('t', user)
  renderWithProviders(
    <>
      {company ? <MembersPage company={company} /> : <MembersPage />}
      <Where />
    </>,
    { path, withToasts: true },
  )
  return server
}

async function actionsOf(name: string): Promise<string[]> {
  const button = await screen.findByRole('button', { name: `Actions for ${name}` })
  await userEvent.click(button)
  const found = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  return found
}

async function choose(name: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('the registered members', () => {
  // Specification: 2.55
  it('shows the columns, the leader and who is disabled', async () => {
    open(aLeader())
    expect(await screen.findByText('omar@northwind.test')).toBeVisible()
    expect(screen.getAllByRole('columnheader').map((heading) => heading.textContent)).toEqual([
      'First name',
      'Last name',
      'Email',
      'Phone number',
      'Created',
      'Last login',
      'Two-step',
      'Actions',
    ])
    const [, leader, , disabled] = screen.getAllByRole('row')
    expect(within(leader!).getByText('Team Leader')).toBeVisible()
    expect(within(disabled!).getByText('Disabled')).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Registered 3' })).toHaveAttribute('aria-selected', 'true')
  })

  it('shows an unconfirmed contact below the current one', async () => {
    open(aLeader(), { rows: [aMemberRow({ pendingEmailAddress: 'new@northwind.test' })] })
    expect(await screen.findByText('new@northwind.test')).toBeVisible()
    expect(screen.getByText(/Waiting for confirmation/)).toBeVisible()
  })

  it('shows who never logged in and who uses an app', async () => {
    const lastLogin = new Date(Date.now() - 3 * 86_400_000).toISOString()
    open(aLeader(), { rows: [leaderRow, aMemberRow({ lastLogin, twoStep: 'authenticator' })] })
    const [, leader, member] = await screen.findAllByRole('row')
    expect(within(leader!).getByText('Never')).toBeVisible()
    expect(within(leader!).getByText('SMS')).toBeVisible()
    expect(within(member!).getByText('3 days ago')).toBeVisible()
    expect(within(member!).getByText('App')).toBeVisible()
  })

  it('exports the members as they are shown', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }))
    const path = '/team-members?q=omar&sort=lastLogin:asc&page=2'
    const server = open(aLeader(), { path, more: { 'GET /api/users/export': () => new Response('name') } })
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    const [call] = server.to('GET /api/users/export')
    expect(Object.fromEntries(call!.url.searchParams)).toEqual({ searchText: 'omar', sort: 'lastLogin:asc' })
    click.mockRestore()
  })

  // Specification: 2.56, 4.40
  it('offers the leader every action except on the leader', async () => {
    open(aLeader())
    expect(await actionsOf('Ada Lindqvist')).toEqual(['Edit'])
    expect(await actionsOf('Omar Haddad')).toEqual(['Edit', 'Disable', 'Make team leader', 'Remove'])
    expect(await actionsOf('Zoë Haddad')).toEqual(['Edit', 'Enable', 'Remove'])
  })

  // Specification: 2.61, 6.5
  it('offers an admin nothing but leadership, and no invitation', async () => {
    const server = open(anAdmin(), { path: '/admin/members' })
    expect(await screen.findByRole('heading', { name: 'Members of Pinecrest' })).toBeVisible()
    expect(await actionsOf('Omar Haddad')).toEqual(['Make team leader'])
    expect(screen.queryByRole('button', { name: 'Actions for Ada Lindqvist' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Invite members' })).toBeNull()
    expect(server.to('GET /api/users')).toHaveLength(0)
  })

  // Specification: 8.59
  it('offers no leadership while the leader is not known', async () => {
    open(aLeader(), { more: { 'GET /api/user/team-leader': () => fail(404, 'no_team_leader') } })
    expect(await actionsOf('Omar Haddad')).toEqual(['Edit', 'Disable', 'Remove'])
    expect(await actionsOf('Ada Lindqvist')).toEqual(['Edit'])
  })

  // Specification: 2.60, 8.64
  it('shows an empty state when there are no members', async () => {
    open(aLeader(), { rows: [] })
    expect(await screen.findByText('No Registered User')).toBeVisible()
  })
})

describe('the tabs', () => {
  // Specification: 2.29, 2.54, 2.60, 8.65
  it('keeps the tab in the URL and drops the other list’s search', async () => {
    open(aLeader(), { path: '/team-members?q=omar' })
    await userEvent.click(await screen.findByRole('tab', { name: 'Invited 0' }))
    expect(await screen.findByText('No Invited User')).toBeVisible()
    expect(screen.getByTestId('where')).toHaveTextContent('/team-members?tab=1')
    await userEvent.keyboard('{ArrowLeft}')
    expect(screen.getByRole('tab', { name: 'Registered 3' })).toHaveFocus()
    expect(await screen.findByText('omar@northwind.test')).toBeVisible()
    expect(screen.getByTestId('where')).toHaveTextContent(/^\/team-members$/)
  })
})

describe('what is done to many members', () => {
  it('selects all members but the leader for a change', async () => {
    const server = open(aLeader(), { more: { 'PUT /api/users/status': () => ok() } })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
    expect(screen.queryByRole('checkbox', { name: 'Select Ada Lindqvist' })).toBeNull()
    expect(screen.getByRole('checkbox', { name: 'Select Omar Haddad' })).toBeChecked()
    const bar = screen.getByRole('group', { name: 'Selected rows' })
    expect(within(bar).getByText('2 selected')).toBeVisible()
    await userEvent.click(within(bar).getByRole('button', { name: 'Disable' }))
    // One of the two is disabled already.
    expect(await screen.findByRole('alertdialog', { name: 'Disable 1 member?' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Disable 1' }))
    expect(await screen.findByText('1 member disabled')).toBeVisible()
    expect(server.to('PUT /api/users/status')[0]!.body).toEqual({ uuids: [omar.uuid], enabled: false })
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected rows' })).toBeNull())
  })

  it('removes all of them in one call, or says why not and keeps the selection', async () => {
    let works = false
    const server = open(aLeader(), {
      more: { 'POST /api/users/remove': () => (works ? ok() : fail(404, 'member_not_found')) },
    })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Omar Haddad' }))
    expect(screen.getByRole('checkbox', { name: 'Select all on this page' })).toBePartiallyChecked()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Zoë Haddad' }))
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Remove 2 members' }))
    await waitFor(() => expect(server.to('POST /api/users/remove')).toHaveLength(1))
    works = true
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove 2 members' })).toBeEnabled())
    await userEvent.click(screen.getByRole('button', { name: 'Remove 2 members' }))
    expect(await screen.findByText('2 members removed')).toBeVisible()
    expect(server.to('POST /api/users/remove')[1]!.body).toEqual({ uuids: [omar.uuid, disabledRow.uuid] })
  })

  it('offers an admin no selection', async () => {
    open(anAdmin(), { path: '/admin/members' })
    expect(await screen.findByText('omar@northwind.test')).toBeVisible()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})

describe('what is done to a member', () => {
  it('asks for verified access before a member is disabled', async () => {
    const answers = [fail(403, 'verification_required')]
    const path = `PUT /api/user/status/${omar.uuid}`
    const server = open(aLeader(), {
      more: {
        [path]: () => answers.shift() ?? ok({ ...omar, isActive: false }),
        'POST /api/auth/generate-otp': () => codeSent(),
      },
    })
    await choose('Omar Haddad', 'Disable')
    await userEvent.click(await screen.findByRole('button', { name: 'Disable' }))
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    expect(await screen.findByText('Member Status Changed')).toBeVisible()
    expect(server.to(path)).toHaveLength(2)
  })

  // Specification: 8.15
  it('sends the wanted state when a member is disabled', async () => {
    const server = open(aLeader(), {
      more: { [`PUT /api/user/status/${omar.uuid}`]: () => ok({ ...omar, isActive: false }) },
    })
    await choose('Omar Haddad', 'Disable')
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog).toHaveTextContent('removal from spaces is requested, and the team leader’s client carries it out')
    await userEvent.click(await screen.findByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('Member Status Changed')).toBeVisible()
    expect(server.to(`PUT /api/user/status/${omar.uuid}`)[0]!.body).toEqual({ enabled: false })
    await waitFor(() => expect(server.to('GET /api/users').length).toBeGreaterThan(1))
  })

  // Specification: 8.39
  it('shows an error when the status cannot be changed', async () => {
    open(aLeader(), { more: { [`PUT /api/user/status/${omar.uuid}`]: () => fail(500, 'internal') } })
    await choose('Omar Haddad', 'Disable')
    await userEvent.click(await screen.findByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('Could not Change Member Status')).toBeVisible()
  })

  // Specification: 2.98, 8.14, 8.37
  it('shows why a member was not removed, and removes on retry', async () => {
    let fails = true
    const path = `DELETE /api/user/${omar.uuid}`
    open(aLeader(), { more: { [path]: () => (fails ? fail(500, 'internal') : ok()) } })
    await choose('Omar Haddad', 'Remove')
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog).toHaveTextContent('removal from spaces is requested, and the team leader’s client carries it out')
    await userEvent.click(await screen.findByRole('button', { name: 'Remove member' }))
    expect(await screen.findByText('Could not Remove Member')).toBeVisible()
    fails = false
    await userEvent.click(screen.getByRole('button', { name: 'Remove member' }))
    expect(await screen.findByText('Member Removed')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  it('asks for a code before it removes, where the server does', async () => {
    const answers = [fail(403, 'verification_required')]
    const path = `DELETE /api/user/${omar.uuid}`
    const server = open(aLeader(), {
      more: { [path]: () => answers.shift() ?? ok(), 'POST /api/auth/generate-otp': () => codeSent() },
    })
    await choose('Omar Haddad', 'Remove')
    await userEvent.click(await screen.findByRole('button', { name: 'Remove member' }))
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    expect(await screen.findByText('Member Removed')).toBeVisible()
    expect(server.to(path)).toHaveLength(2)
  })

  // Specification: 8.17
  it('logs the former leader out when leadership is transferred', async () => {
    const server = open(aLeader(), { more: { [`PUT /api/user/team-leader/${omar.uuid}`]: () => ok(omar) } })
    await choose('Omar Haddad', 'Make team leader')
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog).toHaveTextContent('You are logged out everywhere.')
    expect(dialog).toHaveTextContent('Share the company passphrase with Omar Haddad first')
    await userEvent.click(screen.getByRole('button', { name: 'Change team leader' }))
    expect(await screen.findByText('Team Leader Changed')).toBeVisible()
    await waitFor(() => expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' }))
    expect(server.to(`PUT /api/user/team-leader/${omar.uuid}`)).toHaveLength(1)
  })

  // Specification: 1.8, 6.4
  it('changes the leader of the chosen company and leaves the admin logged in', async () => {
    const server = open(anAdmin(), { path: '/admin/members', more: { 'PUT /api/user/team-leader': () => ok(omar) } })
    await choose('Omar Haddad', 'Make team leader')
    await userEvent.click(await screen.findByRole('button', { name: 'Change team leader' }))
    expect(await screen.findByText('Team Leader Changed')).toBeVisible()
    const [call] = server.to('PUT /api/user/team-leader')
    expect(Object.fromEntries(call!.url.searchParams)).toEqual({ companyId: '7', userId: omar.uuid })
    expect(sessionStore.get().status).toBe('signedIn')
  })

  // Specification: 8.40
  it('shows its own message when leadership cannot change', async () => {
    open(aLeader(), { more: { [`PUT /api/user/team-leader/${omar.uuid}`]: () => fail(500, 'internal') } })
    await choose('Omar Haddad', 'Make team leader')
    await userEvent.click(await screen.findByRole('button', { name: 'Change team leader' }))
    expect(await screen.findByText('Could not Change Team Leader')).toBeVisible()
    expect(sessionStore.get().status).toBe('signedIn')
  })

  it('shows the server’s message when leadership cannot change', async () => {
    open(aLeader(), {
      more: {
        [`PUT /api/user/team-leader/${omar.uuid}`]: () => fail(409, 'new_leader_not_active', 'Omar is disabled.'),
      },
    })
    await choose('Omar Haddad', 'Make team leader')
    await userEvent.click(await screen.findByRole('button', { name: 'Change team leader' }))
    expect(await screen.findByText('Omar is disabled.')).toBeVisible()
    expect(sessionStore.get().status).toBe('signedIn')
  })
})
