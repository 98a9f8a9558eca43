import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import EditMemberDialog from '../edit/EditMemberDialog'
import { aMemberRow } from '@/testing/members'

const close = vi.fn()
const save = () => screen.getByRole('button', { name: 'Save' })

beforeEach(() => close.mockReset())
afterEach(() => vi.unstubAllGlobals())

function open(answer: () => Response = () => ok(aMemberRow())) {
  const server = serve({ 'PUT /api/user': answer })
  renderWithProviders(<EditMemberDialog member={aMemberRow()} onClose={close} />, { withToasts: true })
  return server
}

async function type(label: string, text: string) {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  if (text) await fillIn(userEvent, field, text)
  await userEvent.tab()
}

describe('a contact that the member has not confirmed', () => {
  it('withdraws an unconfirmed contact', async () => {
    const server = serve({ [`DELETE /api/user/${aMemberRow().uuid}/pending/email`]: () => ok(aMemberRow()) })
    const member = aMemberRow({ pendingEmailAddress: 'new@northwind.test' })
    renderWithProviders(<EditMemberDialog member={member} onClose={close} />, { withToasts: true })
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw new@northwind.test' }))
    expect(await screen.findByText('Change withdrawn')).toBeVisible()
    expect(screen.queryByText('new@northwind.test')).toBeNull()
    expect(server.calls).toHaveLength(1)
  })
})

describe('editing a member', () => {
  // Specification: 2.96, 8.13
  it('saves what changed, with an international number', async () => {
    const server = open()
    expect(await screen.findByLabelText('Phone number')).toHaveValue('(202) 555-0102')
    expect(save()).toBeDisabled()
    await type('First name', ' Omar Ali ')
    await type('Phone number', '202 555 0199')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    expect(await screen.findByText('Member Updated')).toBeVisible()
    expect(server.calls[0]!.body).toEqual({
      uuid: aMemberRow().uuid,
      firstName: 'Omar Ali',
      lastName: 'Haddad',
      email_address: 'omar@northwind.test',
      phoneNumber: '+12025550199',
    })
    expect(close).toHaveBeenCalledOnce()
  })

  // Specification: 5.31
  it.each([
    ['First name', '', 'This field is required.'],
    ['Last name', ' ', 'This field is required.'],
    ['Email', 'omar@', 'Email is not valid'],
    ['Phone number', '12', 'Phone number is not valid.'],
  ])('needs a good %s', async (label, text, message) => {
    open()
    await type(label, text)
    expect(await screen.findByText(message)).toBeVisible()
    expect(save()).toBeDisabled()
  })

  it('says that a new contact waits for the member', async () => {
    open(() => ok(aMemberRow({ pendingEmailAddress: 'new@northwind.test' })))
    await type('Email', 'new@northwind.test')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    expect(await screen.findByText('Waiting for the member to confirm.')).toBeVisible()
  })

  it('shows the server’s message beside its field', async () => {
    open(() => fail(409, 'address_in_use', '', { fields: { email_address: 'Somebody has this one.' } }))
    await type('Email', 'taken@northwind.test')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    expect(await screen.findByText('Somebody has this one.')).toBeVisible()
    expect(close).not.toHaveBeenCalled()
  })

  // Specification: 8.36
  it('shows its own message when the server gives none', async () => {
    open(() => fail(500, 'internal'))
    await type('First name', 'Other')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    expect(await screen.findByText('Could not Update Member')).toBeVisible()
  })
})
