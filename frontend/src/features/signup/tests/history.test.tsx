import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { fail, serve } from '@/testing/server'
import { keepDraft, newDraft } from '../draft'
import SignupPage from '../SignupPage'
import {
  button,
  company,
  fill,
  goodPassphrase,
  goodPassword,
  openSignup,
  person,
  phone,
  press,
  title,
} from './open-signup'

const verified = { verifiedPhone: phone, freeEmail: 'grace@acme.test' }

async function next() {
  await waitFor(() => expect(button('Next')).toBeEnabled())
  press('Next')
}

function edit(part: string) {
  fireEvent.click(within(screen.getByRole('region', { name: part })).getByRole('button', { name: /Edit/ }))
}

function leavesFreely(): boolean {
  return window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe("the browser's Back", () => {
  it('goes a step back, and Forward on again, with everything that was typed', async () => {
    openSignup('company', verified)
    await title('Register Company')
    fill('Company name', 'Acme and Daughters')
    await next()
    await title('Sign up as the team leader')
    fill('First name', 'Ada')
    await next()
    await title('Select a Pass Phrase')
    press('Browser back')
    await title('Sign up as the team leader')
    expect(screen.getByLabelText('First name')).toHaveValue('Ada')
    expect(screen.getByLabelText('Password')).toHaveValue(goodPassword)
    press('Browser back')
    await title('Register Company')
    expect(screen.getByLabelText('Company name')).toHaveValue('Acme and Daughters')
    press('Browser forward')
    await title('Sign up as the team leader')
    press('Browser forward')
    await title('Select a Pass Phrase')
    expect(screen.getByLabelText('Passphrase')).toHaveValue(goodPassphrase)
  })

  it("agrees with the page's own Back", async () => {
    openSignup('company', verified)
    await title('Register Company')
    await next()
    await title('Sign up as the team leader')
    await next()
    await title('Select a Pass Phrase')
    press('Back')
    await title('Sign up as the team leader')
    press('Browser back')
    await title('Register Company')
  })

  it('closes a dialog that the step had opened', async () => {
    openSignup('company')
    await title('Register Company')
    await next()
    await title('Sign up as the team leader')
    await next()
    await screen.findByRole('heading', { name: 'Verify your phone number' })
    // It stands for the browser's own button, which no dialog makes inert.
    fireEvent.click(screen.getByRole('button', { name: 'Browser back', hidden: true }))
    await title('Register Company')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('asks before it leaves the page', async () => {
    openSignup('company', verified)
    await title('Register Company')
    await next()
    await title('Sign up as the team leader')
    press('Browser back')
    await title('Register Company')
    press('Browser back')
    const dialog = await screen.findByRole('dialog', { name: 'Leave the sign-up?' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Stay' }))
    await title('Register Company')
    expect(screen.queryByRole('dialog')).toBeNull()
    press('Browser back')
    fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await title('/')
  })

  it('after a reload shows no later step than the one to resume at', async () => {
    keepDraft({ ...newDraft(), step: 'payment', ticket: 'ticket-1', company, person })
    serve({})
    renderWithProviders(<SignupPage />, { path: '/signup', state: { step: 'payment', from: 'passphrase' } })
    await title('Sign up as the team leader')
  })
})

describe('leaving', () => {
  it('asks before the logo leaves the page', async () => {
    openSignup('company')
    await title('Register Company')
    fireEvent.click(screen.getByRole('link', { name: /Tessera/ }))
    fireEvent.click(await screen.findByRole('button', { name: 'Stay' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click(screen.getByRole('link', { name: /Tessera/ }))
    fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await title('/')
    expect(leavesFreely()).toBe(true)
  })

  it('asks before the tab is closed', async () => {
    openSignup('company')
    await title('Register Company')
    expect(leavesFreely()).toBe(false)
  })

  it('leaves without a question when nothing was entered', async () => {
    openSignup('password', { ticket: null })
    await title('Type in the provided password')
    expect(leavesFreely()).toBe(true)
    fireEvent.click(screen.getByRole('link', { name: /Tessera/ }))
    await title('/')
  })
})

describe('Edit', () => {
  it.each([
    ['Company', 'Register Company'],
    ['Team leader', 'Sign up as the team leader'],
    ['Passphrase', 'Select a Pass Phrase'],
    ['Payment', 'Add Payment Method'],
  ])('of %s returns to the review with Next and with Back', async (part, heading) => {
    openSignup('submit', verified)
    for (const way of ['Next', 'Back', 'Browser back']) {
      await title('Review and Submit')
      edit(part)
      await title(heading)
      await waitFor(() => expect(button(way)).toBeEnabled())
      press(way)
    }
    await title('Review and Submit')
  })

  it('opens an edited step again before the submit when it is incomplete', async () => {
    const server = openSignup('submit', verified)
    await title('Review and Submit')
    edit('Company')
    await title('Register Company')
    fill('Company name', '')
    press('Browser back')
    await title('Review and Submit')
    fireEvent.click(screen.getByRole('checkbox'))
    press('Submit')
    await title('Register Company')
    expect(server.to('POST /api/auth/register-team-leader')).toHaveLength(0)
  })
})

describe('the agreement', () => {
  it('keeps the agreement ticked when the card is declined', async () => {
    const declined = () => fail(402, 'card_declined', 'Your card was declined.')
    openSignup('submit', verified, { 'POST /api/auth/register-team-leader': declined })
    await title('Review and Submit')
    fireEvent.click(screen.getByRole('checkbox'))
    press('Submit')
    await screen.findByRole('alert')
    edit('Payment')
    await title('Add Payment Method')
    press('Browser back')
    await title('Review and Submit')
    expect(screen.getByRole('checkbox')).toBeChecked()
  })
})
