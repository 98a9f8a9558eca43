import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { verificationStore } from '@/api/verification'
import { fillIn } from '@/testing/fill-in'
import { pageOf, Where } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { type Call, codeSent, fail, ok, serve } from '@/testing/server'
import { CompaniesPage } from '../CompaniesPage'
import { aCompany, disabledCompany } from './companies'

const showMembers = vi.fn()
const gone = vi.fn()
const companies = [aCompany(), disabledCompany]

type Handlers = Parameters<typeof serve>[0]

function open({ more = {}, activeId = null }: { more?: Handlers; activeId?: number | null } = {}) {
  const server = serve({
    'GET /api/companies': (call) => {
      const only = call.url.searchParams.get('filter')?.split(':')[2]
      return pageOf(
        companies.filter(({ isEnabled }) => !only || String(isEnabled) === only),
        call,
      )
    },
    ...more,
  })
  renderWithProviders(
    <>
      <CompaniesPage
        activeId={activeId}
        pathOf={({ id }) => `/companies/${id}`}
        onShowMembers={showMembers}
        onGone={gone}
      />
      <Where />
    </>,
    { path: '/admin/companies', withToasts: true },
  )
  return server
}

async function choose(action: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Northwind Ltd' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

beforeEach(() => {
  showMembers.mockReset()
  gone.mockReset()
})
afterEach(() => vi.unstubAllGlobals())

describe('the companies', () => {
  it('exports the companies as they are shown', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }))
    const server = open({ more: { 'GET /api/companies/export': () => new Response('name') } })
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    expect(server.to('GET /api/companies/export')).toHaveLength(1)
    click.mockRestore()
  })

  it('remembers the page size until logout', async () => {
    open()
    await userEvent.selectOptions(await screen.findByLabelText('Rows per page'), '25')
    cleanup()
    open()
    expect(await screen.findByLabelText('Rows per page')).toHaveValue('25')
    cleanup()
    act(() => sessionStore.signOut('loggedOut'))
    open()
    expect(await screen.findByLabelText('Rows per page')).toHaveValue('5')
  })

  it('filters the companies when a total is clicked', async () => {
    open()
    const totals = screen.getByRole('group', { name: 'Totals' })
    expect(await within(totals).findByRole('button', { name: '2 Companies' })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(within(totals).getByRole('button', { name: '1 Disabled' }))
    await waitFor(() => expect(screen.queryByText('Northwind Ltd')).toBeNull())
    expect(screen.getByTestId('where')).toHaveTextContent('filter=isEnabled:matches:false')
  })

  it('shows a capped count of disabled companies', async () => {
    const answer = ({ url }: Call) =>
      ok(
        url.searchParams.has('filter') ? { item1: [], item2: 10_000, totalCapped: true } : { item1: [], item2: 45_000 },
      )
    open({ more: { 'GET /api/companies': answer } })
    const totals = screen.getByRole('group', { name: 'Totals' })
    expect(await within(totals).findByRole('button', { name: '10,000+ Disabled' })).toBeVisible()
    expect(within(totals).getByRole('button', { name: '45,000 Companies' })).toBeVisible()
    expect(within(totals).getByRole('button', { name: '– Enabled' })).toBeVisible()
  })

  it('filters by subscription and sorts by number of members', async () => {
    const server = open()
    const last = () => server.to('GET /api/companies').at(-1)!.url.searchParams
    await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
    await userEvent.selectOptions(await screen.findByLabelText('Column'), 'Subscription')
    await userEvent.selectOptions(screen.getByLabelText('Value'), 'Past due')
    await userEvent.click(screen.getByRole('button', { name: 'Add filter' }))
    await waitFor(() => expect(last().get('filter')).toBe('subscriptionState:matches:pastDue'))
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Subscription: Past due' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Members' }))
    await waitFor(() => expect(last().get('sort')).toBe('memberCount:asc'))
  })

  // Specification: 2.23, 2.51
  it('opens a company by its name or row, and marks the active one', async () => {
    open({ activeId: 3 })
    expect(await screen.findByRole('link', { name: 'Northwind Ltd' })).toHaveAttribute('href', '/companies/2')
    await userEvent.click(screen.getByText('Portland, ME', { selector: 'tr:first-child bdi' }))
    expect(screen.getByTestId('where')).toHaveTextContent('/companies/2')
    expect(screen.getByRole('row', { name: /Pinecrest/ })).toHaveAttribute('data-marked', 'true')
    await choose('Show members')
    expect(showMembers).toHaveBeenCalledWith(expect.objectContaining({ id: 2 }))
  })

  // Specification: 2.53, 8.63
  it('says that no company was found', async () => {
    open({ more: { 'GET /api/companies': () => ok({ item1: [], item2: 0 }) } })
    expect(await screen.findByText('No Results Found')).toBeVisible()
  })

  it('opens a company’s details from its menu', async () => {
    open()
    await choose('Details')
    expect(screen.getByTestId('where')).toHaveTextContent('/companies/2')
  })
})

describe('enabling and disabling', () => {
  // Specification: 2.49, 4.37, 8.10
  it('asks each time, sends the wanted state and does not select the row', async () => {
    const server = open({ more: { 'PUT /api/company/status/2': () => ok(aCompany({ isEnabled: false })) } })
    const toggle = await screen.findByRole('switch', { name: 'Northwind Ltd enabled' })
    expect(toggle).toBeChecked()
    await userEvent.click(toggle)
    expect(await screen.findByRole('alertdialog', { name: 'Disable Northwind Ltd?' })).toHaveTextContent(
      'logged out immediately',
    )
    expect(server.to('PUT /api/company/status/2')).toHaveLength(0)
    await userEvent.click(screen.getByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('Company Status Changed')).toBeVisible()
    expect(server.to('PUT /api/company/status/2')[0]!.body).toEqual({ enabled: false, reason: '' })
    expect(screen.getByTestId('where')).toHaveTextContent('/admin/companies')
  })

  it('sends the reason that its members are to read', async () => {
    const server = open({ more: { 'PUT /api/company/status/2': () => ok(aCompany({ isEnabled: false })) } })
    await userEvent.click(await screen.findByRole('switch', { name: 'Northwind Ltd enabled' }))
    await userEvent.type(await screen.findByLabelText('Reason (optional)'), ' Unpaid since May ')
    await userEvent.click(screen.getByRole('button', { name: 'Disable' }))
    expect(await screen.findByText('Company Status Changed')).toBeVisible()
    expect(server.to('PUT /api/company/status/2')[0]!.body).toEqual({ enabled: false, reason: 'Unpaid since May' })
  })

  it('asks for a code where the server does', async () => {
    const answers = [fail(403, 'verification_required')]
    const server = open({
      more: {
        'PUT /api/company/status/2': () => answers.shift() ?? ok(aCompany({ isEnabled: false })),
        'POST /api/auth/generate-otp': () => codeSent(),
      },
    })
    await userEvent.click(await screen.findByRole('switch', { name: 'Northwind Ltd enabled' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Disable' }))
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    expect(await screen.findByText('Company Status Changed')).toBeVisible()
    expect(server.to('PUT /api/company/status/2')).toHaveLength(2)
  })

  // Specification: 2.49, 4.37, 8.33
  it('asks before enabling too, and says when it failed', async () => {
    open({ more: { 'PUT /api/company/status/3': () => fail(500, 'internal') } })
    await userEvent.click(await screen.findByRole('switch', { name: 'Pinecrest enabled' }))
    expect(await screen.findByRole('alertdialog', { name: 'Enable Pinecrest?' })).toBeVisible()
    expect(screen.queryByLabelText('Reason (optional)')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Enable' }))
    expect(await screen.findByText('Could not Change Status')).toBeVisible()
  })
})

describe('deleting', () => {
  // Specification: 2.50, 8.11
  it('deletes a company only after its name is typed', async () => {
    const server = open({ more: { 'DELETE /api/company/2': () => ok() } })
    await choose('Delete')
    const confirm = await screen.findByRole('button', { name: 'Delete company' })
    expect(confirm).toBeDisabled()
    await userEvent.type(screen.getByLabelText('Type Northwind Ltd to confirm'), 'Northwind')
    expect(confirm).toBeDisabled()
    await userEvent.type(screen.getByLabelText('Type Northwind Ltd to confirm'), ' Ltd ')
    await userEvent.click(screen.getByRole('button', { name: 'Delete company' }))
    expect(await screen.findByText('Company Deleted')).toBeVisible()
    expect(server.to('DELETE /api/company/2')).toHaveLength(1)
    expect(gone).toHaveBeenCalledWith(2)
  })

  // Specification: 8.34
  it('stays open when deleting fails', async () => {
    open({ more: { 'DELETE /api/company/2': () => fail(502, 'card_provider', '') } })
    await choose('Delete')
    await fillIn(userEvent, await screen.findByLabelText('Type Northwind Ltd to confirm'), 'Northwind Ltd')
    await userEvent.click(screen.getByRole('button', { name: 'Delete company' }))
    expect(await screen.findByText('Could not Delete Company')).toBeVisible()
    expect(gone).not.toHaveBeenCalled()
  })
})
