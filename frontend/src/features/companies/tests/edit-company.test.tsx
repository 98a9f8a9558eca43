import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import EditCompanyDialog from '../EditCompanyDialog'
import { aCompany } from './companies'

const close = vi.fn()
const save = () => screen.getByRole('button', { name: 'Save' })
// An asterisk may stand behind what is required.
const labelled = (label: string) => screen.findByLabelText(new RegExp(`^${label}`))

function open(answer: () => Response = () => ok(aCompany({ name: 'Northwind Group' }))) {
  const server = serve({ 'GET /api/company': () => ok(aCompany()), 'PUT /api/company': answer })
  renderWithProviders(<EditCompanyDialog onClose={close} />, { withToasts: true })
  return server
}

async function type(label: string, text: string) {
  const field = await labelled(label)
  await userEvent.clear(field)
  if (text) await fillIn(userEvent, field, text)
  await userEvent.tab()
}

beforeEach(() => {
  close.mockReset()
  sessionStore.signIn('t', aLeader())
})
afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('editing the company', () => {
  // Specification: 2.100, 3.5, 8.12
  it('sends the address nested, and the badge follows the name', async () => {
    const server = open()
    await type('Company name', 'Northwind Group')
    await type('City', '')
    await userEvent.selectOptions(await labelled('State'), 'PR')
    await type('Zip code', '00901')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    expect(await screen.findByText('Company Updated')).toBeVisible()
    expect(server.to('PUT /api/company')[0]!.body).toEqual({
      name: 'Northwind Group',
      email: 'office@northwind.test',
      phoneNumber: '+12025550110',
      address: { state: 'PR', zipCode: '00901', addressLine1: '14 Harbour Street', addressLine2: '', city: '' },
    })
    expect(sessionStore.get()).toMatchObject({ user: { companyName: 'Northwind Group' } })
    expect(close).toHaveBeenCalledOnce()
  })

  // Specification: 5.13
  it.each([
    ['Company name', ''],
    ['Street address', ' '],
    ['Zip code', '0410'],
    ['Phone number', '+1'],
    ['Email', 'office'],
  ])('cannot be saved without a good %s', async (label, text) => {
    open()
    await type(label, text)
    await waitFor(() => expect(save()).toBeDisabled())
  })

  // Specification: 5.13
  it('disables Save without a state', async () => {
    open()
    await userEvent.selectOptions(await labelled('State'), '')
    await waitFor(() => expect(save()).toBeDisabled())
  })

  // Specification: 3.28
  it('offers all states and territories', async () => {
    open()
    const state = await labelled('State')
    const codes = [...state.querySelectorAll('option')].map(({ value }) => value)
    expect(codes).toEqual(expect.arrayContaining(['DC', 'AS', 'FM', 'GU', 'MH', 'MP', 'PW', 'PR', 'VI', 'WY']))
    expect(codes).toHaveLength(60)
  })

  // Specification: 8.35
  it('puts the server’s words beside their field, or says its own', async () => {
    let answer = () => fail(422, 'invalid', '', { fields: { 'address.zipCode': 'wrong' } })
    open(() => answer())
    await type('Zip code', '99999')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    await waitFor(async () => expect(await labelled('Zip code')).toHaveAttribute('aria-invalid', 'true'))
    answer = () => fail(500, 'internal')
    await type('Zip code', '99998')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    expect(await screen.findByText('Could not Update Company')).toBeVisible()
  })
})
