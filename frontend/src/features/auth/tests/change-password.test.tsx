import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { makeCompanySecrets, openPassphrase } from '@/crypto/company-secrets'
import { Keyring, keyring } from '@/crypto/keyring'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import ChangePasswordDialog from '../ChangePasswordDialog'
import { anAccount, password } from './account'

const close = vi.fn()
const next = 'nine tiles of a mosaic'
let account: Awaited<ReturnType<typeof anAccount>>

beforeEach(async () => {
  close.mockReset()
  account = await anAccount()
  sessionStore.signIn('t', account.user)
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

async function change(old: string, answer: () => Response = () => ok(), stored: object = account.stored) {
  const server = serve({ 'GET /api/auth/keys': () => ok(stored), 'PUT /api/auth/password': answer })
  renderWithProviders(<ChangePasswordDialog onClose={close} />, { withToasts: true })
  const person = userEvent.setup()
  const submit = () => screen.getByRole('button', { name: 'Change password' })
  expect(submit()).toBeDisabled()
  await fillIn(person, screen.getByLabelText('Current password'), old)
  await fillIn(person, screen.getByLabelText('New password'), next)
  expect(submit()).toBeDisabled()
  await fillIn(person, screen.getByLabelText('Confirm password'), next)
  await waitFor(() => expect(submit()).toBeEnabled())
  await person.click(submit())
  return server
}

describe('a change of the password', () => {
  it('makes a new key, seals it under the new password and reseals the company’s key', async () => {
    const ids = { uid: account.user.uuid, cid: account.user.companyUuid }
    const pair = await makeCompanySecrets('three clouds, one mosaic', ids, account.keys.key)
    const [sealedCompanyKey, sealedPassphrase] = pair.split('~')
    const server = await change(password, () => ok(), { ...account.stored, sealedCompanyKey })
    expect(await screen.findByText('Successfully Changed Password')).toBeVisible()
    expect(close).toHaveBeenCalledOnce()
    const body = server.to('PUT /api/auth/password')[0]?.body as Record<string, string>
    expect(body.oldPassword).toBe(account.keys.auth)
    expect(body.salt).not.toBe(account.keys.salt)
    expect(body.storageKeys).toBeNull()
    const after = new Keyring()
    await after.unlock(next, body.salt!, body.userKey!, ids)
    const stored = `${body.companyKey}~${sealedPassphrase}`
    expect(await openPassphrase(stored, after)).toBe('three clouds, one mosaic')
    expect(await openPassphrase(stored, keyring)).toBe('three clouds, one mosaic')
    expect(JSON.stringify(server.calls)).not.toContain(next)
  })

  it('notices a wrong current password without asking the server', async () => {
    const server = await change('not the current one')
    expect(await screen.findByText('Your current password is incorrect.')).toBeVisible()
    expect(server.to('PUT /api/auth/password')).toHaveLength(0)
    expect(screen.getByLabelText('Current password')).toHaveValue('')
  })

  it('shows the server’s refusal of the old password beside the field, and others above', async () => {
    await change(password, () => fail(403, 'old_password_wrong', 'Your current password is incorrect.'))
    expect(await screen.findByText('Your current password is incorrect.')).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows an error when the password cannot be changed', async () => {
    await change(password, () => new Response('', { status: 500 }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not change the password')
    expect(close).not.toHaveBeenCalled()
  })
})
