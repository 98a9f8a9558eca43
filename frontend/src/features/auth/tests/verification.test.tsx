import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '@/api/client'
import { sessionStore } from '@/api/session'
import { withVerification } from '@/api/verification'
import { CancelledError } from '@/lib/deferred'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import VerificationDialog from '../VerificationDialog'

const code = '246810'
let verified = false

function open() {
  verified = false
  const server = serve({
    'POST /api/auth/profile/email': () => (verified ? ok() : fail(403, 'verification_required', 'Please verify.')),
    'POST /api/auth/generate-otp': () => codeSent(),
    [`POST /api/auth/verify-otp/${code}`]: () => {
      verified = true
      return ok({ verifiedFor: 300 })
    },
    'POST /api/auth/verify-otp/000000': () => fail(400, 'code_wrong', 'The code is incorrect. Attempts left: 4.'),
  })
  renderWithProviders(<VerificationDialog />)
  return server
}

const sensitive = () =>
  withVerification(() => api.POST('/api/auth/profile/email', { body: { email_address: 'a@b.co' } }))
const field = () => screen.findByRole('textbox', { name: 'Verification code' })

beforeEach(() => {
  sessionStore.signIn('t', aLeader())
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('withVerification', () => {
  // Specification: 2.103
  it('asks for a code and repeats the call', async () => {
    const server = open()
    const running = sensitive()
    expect(await screen.findByRole('dialog', { name: 'Verification Required' })).toBeVisible()
    await userEvent.setup().type(await field(), code)
    await running
    expect(server.to('POST /api/auth/profile/email')).toHaveLength(2)
    expect(server.to('POST /api/auth/generate-otp')).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks once for two calls at a time', async () => {
    const server = open()
    const both = Promise.all([sensitive(), sensitive()])
    await userEvent.setup().type(await field(), code)
    await both
    expect(server.to('POST /api/auth/generate-otp')).toHaveLength(1)
    expect(server.to('POST /api/auth/profile/email')).toHaveLength(4)
  })

  it('rejects when the dialog is closed, and takes up the code that was sent', async () => {
    const server = open()
    const person = userEvent.setup()
    const refused = expect(sensitive()).rejects.toBeInstanceOf(CancelledError)
    await field()
    await person.click(screen.getByRole('button', { name: 'Cancel' }))
    await refused
    const running = sensitive()
    await person.type(await field(), code)
    await running
    expect(server.to('POST /api/auth/generate-otp')).toHaveLength(1)
  })

  it('keeps asking after a wrong code, and shows the wait for another one', async () => {
    open()
    const running = sensitive()
    const person = userEvent.setup()
    await person.type(await field(), '000000')
    expect(await screen.findByRole('alert')).toHaveTextContent('Attempts left: 4.')
    expect(screen.getByRole('button', { name: 'Resend Code' })).toBeDisabled()
    await person.type(await field(), code)
    await running
  })

  it('says when no code could be sent, and tries again', async () => {
    const server = open()
    server.handlers['POST /api/auth/generate-otp'] = () => new Response('', { status: 500 })
    const running = sensitive()
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not send code')
    server.handlers['POST /api/auth/generate-otp'] = () => codeSent()
    const person = userEvent.setup()
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await person.type(await field(), code)
    await running
  })

  it('takes the code of an authenticator app, and a recovery code only in the body', async () => {
    const server = open()
    server.handlers['POST /api/auth/generate-otp'] = () => ok({ otpRequired: true, method: 'totp' })
    server.handlers['POST /api/auth/verify-recovery-code'] = server.handlers[`POST /api/auth/verify-otp/${code}`]!
    const person = userEvent.setup()
    const first = sensitive()
    await field()
    expect(screen.getByText(/your authenticator app shows/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Resend Code' })).toBeNull()
    await person.type(await field(), code)
    await first
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    verified = false
    const second = sensitive()
    await person.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    await person.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'k7qm-2xvd-9h3c-0tz4{Enter}')
    await second
    expect(server.to('POST /api/auth/verify-recovery-code')[0]?.body).toEqual({ recoveryCode: 'k7qm-2xvd-9h3c-0tz4' })
  })

  it('rejects with other failures of the call', async () => {
    const server = open()
    server.handlers['POST /api/auth/profile/email'] = () => fail(409, 'nothing_to_change')
    await expect(sensitive()).rejects.toMatchObject({ code: 'nothing_to_change' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('closes the dialog when the session ends', async () => {
    open()
    const refused = expect(sensitive()).rejects.toBeInstanceOf(CancelledError)
    await field()
    act(() => sessionStore.signOut('expired'))
    await refused
  })
})
