import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve, type Call } from '@/testing/server'
import type { InviteResult } from '../api'
import InviteDialog from '../InviteDialog'

const close = vi.fn()
const invited = vi.fn()
const field = () => screen.getByLabelText('Email addresses')
const chips = () => screen.queryAllByRole('listitem').map((chip) => chip.querySelector('bdi')?.textContent)

type Answer = (addresses: string[]) => Response

const everyone: Answer = (addresses) => ok(addresses.map((email_address) => ({ email_address, state: 'invited' })))

function open(answer: Answer = everyone) {
  const server = serve({
    'POST /api/invite/users/': ({ body }: Call) =>
      answer((body as { email_address: string }[]).map(({ email_address }) => email_address)),
    'GET /api/invites/progress': () => ok({ total: 40, sent: 25, failed: 2 }),
  })
  renderWithProviders(<InviteDialog onClose={close} onInvited={invited} />, { withToasts: true })
  return server
}

beforeEach(() => {
  close.mockReset()
  invited.mockReset()
})
afterEach(() => vi.unstubAllGlobals())

describe('the addresses', () => {
  // Specification: 5.28
  it('adds an address with Enter, Tab, a comma and Add', async () => {
    open()
    const person = userEvent.setup()
    await person.type(field(), 'a@b.test{Enter}c@d.test,e@f.test')
    await person.tab()
    expect(field()).toHaveFocus()
    await person.type(field(), 'g@h.test')
    await person.click(screen.getByRole('button', { name: 'Add' }))
    expect(chips()).toEqual(['a@b.test', 'c@d.test', 'e@f.test', 'g@h.test'])
    await person.click(screen.getByRole('button', { name: 'Remove c@d.test' }))
    await person.click(field())
    await person.keyboard('{Backspace}')
    expect(chips()).toEqual(['a@b.test', 'e@f.test'])
  })

  // Specification: 5.26, 5.27
  it('refuses invalid and repeated addresses', async () => {
    open()
    const person = userEvent.setup()
    await person.type(field(), 'nobody{Enter}')
    expect(screen.getByText('"nobody" is not a valid email address.')).toBeVisible()
    await person.clear(field())
    await person.type(field(), 'a@b.test{Enter}A@b.test{Enter}')
    expect(screen.getByText('A@b.test has already been added.')).toBeVisible()
    expect(chips()).toEqual(['a@b.test'])
  })

  // Specification: 5.29
  it('adds the addresses of a pasted text', async () => {
    open()
    const person = userEvent.setup()
    await person.type(field(), 'a@b.test{Enter}')
    await person.paste('Ada <ada@b.test>, a@b.test; Bo bo@b.test')
    expect(chips()).toEqual(['a@b.test', 'ada@b.test', 'bo@b.test'])
    expect(screen.getByText('2 addresses added')).toBeInTheDocument()
  })

  // Specification: 5.30
  it('disables Invite without an address', () => {
    open()
    expect(screen.getByRole('button', { name: 'Invite' })).toBeDisabled()
  })
})

describe('inviting', () => {
  // Specification: 2.95, 8.8
  it('closes after a single invitation and names its address', async () => {
    const server = open()
    const person = userEvent.setup()
    await person.type(field(), 'a@b.test')
    await person.click(screen.getByRole('button', { name: 'Invite' }))
    expect(await screen.findByText('a@b.test invited')).toBeVisible()
    expect(server.to('POST /api/invite/users/')[0]!.body).toEqual([{ email_address: 'a@b.test' }])
    expect(close).toHaveBeenCalledOnce()
    expect(invited).toHaveBeenCalledOnce()
  })

  // Specification: 8.9
  it('invites many in one call and shows a result for each', async () => {
    const server = open((addresses) =>
      ok(
        addresses.map((email_address, n): InviteResult => ({
          email_address,
          state: n === 0 ? 'alreadyMember' : n === 1 ? 'alreadyInvited' : 'invited',
        })),
      ),
    )
    const person = userEvent.setup()
    await person.click(field())
    await person.paste(Array.from({ length: 40 }, (_, n) => `person${n}@example.test`).join('\n'))
    await person.click(screen.getByText('Invite 40', { selector: 'button' }))
    await screen.findByText('Members Invited')
    expect(server.to('POST /api/invite/users/')).toHaveLength(1)
    expect(invited).toHaveBeenCalledOnce()
    expect(close).not.toHaveBeenCalled()
    expect(screen.getByText('38 people invited.')).toBeVisible()
    expect(await screen.findByText(/25 of 40 emails sent\. 2 could not be sent\./)).toBeVisible()
    expect(screen.getByRole('progressbar', { name: /mails/ })).toHaveAttribute('aria-valuenow', '68')
    const [first, second, third] = within(screen.getByRole('list', { name: 'Result for each address' })).getAllByRole(
      'listitem',
    )
    expect(first).toHaveTextContent('person0@example.testAlready a member')
    expect(second).toHaveTextContent('person1@example.testAlready invited')
    expect(third).toHaveTextContent('Invited')
    await person.click(screen.getByRole('button', { name: 'Done' }))
    expect(close).toHaveBeenCalledOnce()
  })

  it('shows no success when nobody was invited', async () => {
    open(([email_address]) => ok([{ email_address, state: 'alreadyMember' }]))
    const person = userEvent.setup()
    await person.type(field(), 'a@b.test{Enter}')
    await person.click(screen.getByRole('button', { name: 'Invite' }))
    expect(await screen.findByText('Nobody was invited. See the reasons below.')).toBeVisible()
    expect(invited).not.toHaveBeenCalled()
  })

  // Specification: 8.4, 8.32
  it.each([
    ['The plan is full.', 'The plan is full.'],
    ['', 'Could not Invite Members'],
  ])('says the server’s words “%s” or its own', async (message, shown) => {
    open(() => fail(422, 'no', message))
    const person = userEvent.setup()
    await person.type(field(), 'a@b.test{Enter}')
    await person.click(screen.getByRole('button', { name: 'Invite' }))
    expect(await screen.findByText(shown)).toBeVisible()
    await waitFor(() => expect(chips()).toEqual(['a@b.test']))
  })
})
