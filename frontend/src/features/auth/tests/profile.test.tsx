import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { i18n } from '@/i18n/i18n'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import ProfileDialog from '../ProfileDialog'
import VerificationDialog from '../VerificationDialog'

const close = vi.fn()

function open(handlers: Parameters<typeof serve>[0]) {
  const server = serve({ 'GET /api/auth/profile/pending': () => ok([]), ...handlers })
  renderWithProviders(
    <>
      <ProfileDialog onClose={close} />
      <VerificationDialog />
    </>,
    { withToasts: true },
  )
  return { server, person: userEvent.setup() }
}

beforeEach(() => {
  close.mockReset()
  sessionStore.signIn('t', aLeader())
})

afterEach(async () => {
  act(() => sessionStore.signOut('expired'))
  await i18n.changeLanguage('en')
  localStorage.setItem('tessera.language', 'en')
  vi.unstubAllGlobals()
})

describe('contacts that the team leader proposed', () => {
  const proposed = (kind: string, value: string) => ({
    kind,
    value,
    askedBy: 'Zoë Baker',
    askedAt: '2026-11-01T10:00:00Z',
  })

  it('declines a proposed contact', async () => {
    let waiting = [proposed('email', 'new@northwind.test')]
    const { server, person } = open({
      'GET /api/auth/profile/pending': () => ok(waiting),
      'DELETE /api/auth/profile/pending/email': () => {
        waiting = []
        return ok()
      },
    })
    expect(await screen.findByText('Proposed by Zoë Baker:')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Decline new@northwind.test' }))
    expect(await screen.findByText('Change declined')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('new@northwind.test')).toBeNull())
    expect(server.to('DELETE /api/auth/profile/pending/email')).toHaveLength(1)
  })

  it('confirms a proposed email by a link', async () => {
    const { server, person } = open({
      'GET /api/auth/profile/pending': () => ok([proposed('email', 'new@northwind.test')]),
      'POST /api/auth/profile/email': () => ok(),
    })
    await person.click(await screen.findByRole('button', { name: 'Confirm new@northwind.test' }))
    await person.click(await screen.findByRole('button', { name: 'Send link' }))
    expect(await screen.findByText('Check your email')).toBeVisible()
    expect(server.to('POST /api/auth/profile/email')[0]?.body).toEqual({ email_address: 'new@northwind.test' })
  })

  it('confirms a proposed phone number by a code', async () => {
    const { server, person } = open({
      'GET /api/auth/profile/pending': () => ok([proposed('phone', '+12025550177')]),
      'POST /api/auth/profile/phone': () => codeSent(),
    })
    await person.click(await screen.findByRole('button', { name: 'Confirm +12025550177' }))
    await person.click(await screen.findByRole('button', { name: 'Send code' }))
    expect(await screen.findByRole('textbox', { name: 'Verification code' })).toBeVisible()
    expect(server.to('POST /api/auth/profile/phone')[0]?.body).toEqual({ phoneNumber: '+12025550177' })
  })
})

describe('the profile', () => {
  it('saves name and language, and switches the screen', async () => {
    const { server, person } = open({
      'PUT /api/auth/profile': ({ body }) => ok({ ...aLeader(), ...(body as object) }),
    })
    const save = () => screen.getByRole('button', { name: 'Save' })
    expect(save()).toBeDisabled()
    await person.clear(screen.getByRole('textbox', { name: 'First name' }))
    await person.type(screen.getByRole('textbox', { name: 'First name' }), ' Zeynep ')
    await person.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'tr')
    await person.click(save())
    await waitFor(() => expect(close).toHaveBeenCalledOnce())
    expect(server.to('PUT /api/auth/profile')[0]?.body).toEqual({
      firstName: 'Zeynep',
      lastName: 'Lindqvist',
      language: 'tr',
    })
    expect(sessionStore.get()).toMatchObject({ user: { firstName: 'Zeynep', language: 'tr' } })
    expect(i18n.language).toBe('tr')
  })

  it('wants a name, and shows what the server says of it beside the field', async () => {
    const { person } = open({
      'PUT /api/auth/profile': () =>
        fail(422, 'invalid_input', 'Some fields are not right.', { fields: { lastName: 'Has strange characters.' } }),
    })
    const last = screen.getByRole('textbox', { name: 'Last name' })
    await person.clear(last)
    await person.tab()
    expect(await screen.findByText('This field is required.')).toBeVisible()
    await person.type(last, 'X')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Has strange characters.')).toBeVisible()
    expect(close).not.toHaveBeenCalled()
  })

  it('sends a link to a new address, after a code when the server wants one', async () => {
    let verified = false
    const { server, person } = open({
      'POST /api/auth/profile/email': () => (verified ? ok() : fail(403, 'verification_required')),
      'POST /api/auth/generate-otp': () => codeSent(),
      'POST /api/auth/verify-otp/123456': () => {
        verified = true
        return ok({ verifiedFor: 300 })
      },
    })
    await person.click(screen.getByRole('button', { name: 'Change Email' }))
    await fillIn(person, screen.getByRole('textbox', { name: 'New email' }), 'new@northwind.test')
    await person.click(screen.getByRole('button', { name: 'Send link' }))
    await person.type(await screen.findByRole('textbox', { name: 'Verification code' }), '123456')
    expect(await screen.findByText('new@northwind.test')).toHaveAttribute('dir', 'ltr')
    expect(server.to('POST /api/auth/profile/email')[1]?.body).toEqual({ email_address: 'new@northwind.test' })
    await person.click(await screen.findByRole('button', { name: 'Done' }))
    expect(screen.getByText('leader@northwind.test')).toBeVisible()
  })

  it('changes the number only with the code that it received', async () => {
    const { server, person } = open({
      'POST /api/auth/profile/phone': () => codeSent({ sentTo: '+1•••••••77' }),
      'POST /api/auth/profile/phone/confirm': () => ok(aLeader({ phoneNumber: '+12025550177' })),
    })
    await person.click(screen.getByRole('button', { name: 'Change Phone number' }))
    const number = await screen.findByRole('textbox', { name: 'Phone number' })
    expect(screen.getByRole('combobox', { name: 'Country' })).toHaveValue('US')
    await person.type(number, '12')
    await person.tab()
    expect((await screen.findAllByText('Phone number is not valid.')).length).toBeGreaterThan(0)
    await person.clear(number)
    await fillIn(person, number, '(202) 555-0177')
    await person.click(screen.getByRole('button', { name: 'Send code' }))
    await person.type(await screen.findByRole('textbox', { name: 'Verification code' }), '654321')
    expect(await screen.findByText('Phone number changed')).toBeVisible()
    expect(server.to('POST /api/auth/profile/phone')[0]?.body).toEqual({ phoneNumber: '+12025550177' })
    expect(server.to('POST /api/auth/profile/phone/confirm')[0]?.body).toEqual({ otp: '654321' })
    expect(sessionStore.get()).toMatchObject({ user: { phoneNumber: '+12025550177' } })
  })
})
