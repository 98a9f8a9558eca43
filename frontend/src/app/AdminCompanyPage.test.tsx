import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { aCompany, detail } from '@/features/companies/tests/companies'
import { pageOf, Where } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { activeCompanyStore } from './active-company'
import AdminCompanyPage from './AdminCompanyPage'

type Handlers = Parameters<typeof serve>[0]

const disabled = { ...detail, isEnabled: false, disabledReason: 'Unpaid\nsince May' }
const registered = {
  id: 7,
  at: '2026-02-03T10:00:00Z',
  actorUuid: null,
  actorName: 'Ada Lindqvist',
  apiTokenId: null,
  action: 'company.registered',
  text: 'Company registered',
  changes: [],
  target: 'Northwind Ltd',
  details: {},
  origin: '192.0.2.7',
}

function open(path = '/admin/companies/2', more: Handlers = {}) {
  const server = serve({
    'GET /api/company/2/detail': () => ok(detail),
    'GET /api/users/2': (call) => pageOf([detail.teamLeader], call),
    'GET /api/user/team-leader/2': () => ok(detail.teamLeader),
    'GET /api/company/2/activity': (call) => pageOf([registered], call),
    ...more,
  })
  renderWithProviders(
    <>
      <AdminCompanyPage />
      <Where />
    </>,
    { path, withToasts: true },
  )
  return server
}

afterEach(() => activeCompanyStore.select(null))

it('shows a company without secrets, and makes it the active one', async () => {
  open()
  expect(screen.getByRole('status', { name: 'Loading company' })).toBeInTheDocument()
  expect(await screen.findByRole('heading', { level: 1, name: 'Northwind Ltd' })).toBeVisible()
  expect(screen.getByText('Ada Lindqvist')).toBeVisible()
  expect(screen.getByText('Set (encrypted; we cannot read it)')).toBeVisible()
  const warehouses = within(screen.getByRole('region', { name: 'Storage' })).getAllByRole('listitem')
  expect(warehouses.map(({ textContent }) => textContent)).toEqual(['Frankfurt archiveActive', 'AzureNot Connected'])
  expect(screen.queryByText('Reason')).toBeNull()
  await waitFor(() => expect(activeCompanyStore.get()).toEqual({ id: 2, name: 'Northwind Ltd' }))
})

it('lists its members and its activity, each with its own search', async () => {
  open('/admin/companies/2?tab=members&q=ada')
  expect(await screen.findByRole('table', { name: 'Registered' })).toHaveTextContent('leader@northwind.test')
  await userEvent.click(screen.getByRole('tab', { name: 'Activity' }))
  expect(await screen.findByText('Company registered')).toBeVisible()
  expect(screen.getByTestId('where')).toHaveTextContent(/^\/admin\/companies\/2\?tab=activity$/)
  await userEvent.keyboard('{ArrowRight}')
  expect(await screen.findByRole('region', { name: 'Contact' })).toBeVisible()
  await userEvent.keyboard('{ArrowLeft}')
  expect(screen.getByRole('tab', { name: 'Activity' })).toHaveFocus()
})

it('disables with a reason, which it shows', async () => {
  const answers = [detail, disabled]
  const server = open(undefined, {
    'GET /api/company/2/detail': () => ok(answers.length > 1 ? answers.shift() : answers[0]),
    'PUT /api/company/status/2': () => ok(aCompany({ isEnabled: false })),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Disable' }))
  const question = await screen.findByRole('alertdialog', { name: 'Disable Northwind Ltd?' })
  await userEvent.type(within(question).getByLabelText('Reason (optional)'), 'Unpaid{Enter}since May')
  await userEvent.click(within(question).getByRole('button', { name: 'Disable' }))
  expect(await screen.findByText('Company Status Changed')).toBeVisible()
  expect(server.to('PUT /api/company/status/2')[0]!.body).toEqual({ enabled: false, reason: 'Unpaid\nsince May' })
  expect(await screen.findByText('Reason')).toBeVisible()
  expect(screen.getByText('Unpaid since May')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Enable' })).toBeVisible()
})

it('goes back to the list when the company was deleted', async () => {
  open(undefined, { 'DELETE /api/company/2': () => ok() })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await userEvent.type(await screen.findByLabelText('Type Northwind Ltd to confirm'), 'Northwind Ltd')
  await userEvent.click(screen.getByRole('button', { name: 'Delete company' }))
  await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(/^\/admin\/companies$/))
  expect(activeCompanyStore.get()).toBeNull()
})

it.each(['/admin/companies/999', '/admin/companies/1', '/admin/companies/north', '/admin/companies/2e3'])(
  'says that %s is not found',
  async (path) => {
    open(path, {
      'GET /api/company/999/detail': () => fail(404, 'company_not_found'),
      'GET /api/company/1/detail': () => fail(403, 'company_not_selected'),
    })
    expect(await screen.findByRole('heading', { level: 1, name: 'Company not found' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'All companies' })).toHaveAttribute('href', '/admin/companies')
    expect(activeCompanyStore.get()).toBeNull()
  },
)

it('says when it could not be loaded, and tries again', async () => {
  const answers = [fail(500, 'internal')]
  open(undefined, { 'GET /api/company/2/detail': () => answers.shift() ?? ok(detail) })
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Northwind Ltd' })).toBeVisible()
})
