import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { openPasskeyKey } from '@/crypto/envelopes'
import { passkeyWrapKey } from '@/crypto/passkey-keys'
import { creationOptions, fakePasskeys } from '@/testing/passkeys'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import TwoFactorDialog from '../TwoFactorDialog'
import { anAccount, password } from './account'

const laptop = {
  id: 1,
  name: 'Laptop',
  credentialId: 'Y3JlZGVudGlhbC0x',
  transports: ['internal'],
  createdAt: '2026-03-09T12:00:00Z',
  lastUsedAt: null,
  sealedUserKey: null,
}

function open(first: object[] = []) {
  let passkeys = first
  const server = serve({
    'GET /api/auth/second-factor': () =>
      ok({
        method: 'sms',
        phoneNumber: '+1•••••••01',
        since: null,
        recoveryCodesLeft: 0,
        smsEnabled: true,
        smsNeeded: passkeys.length === 0,
      }),
    'GET /api/auth/passkeys': () => ok(passkeys),
    'POST /api/auth/passkeys/start': () => ok({ options: creationOptions }),
    'POST /api/auth/passkeys': () => {
      passkeys = [laptop]
      return ok(laptop)
    },
    'PUT /api/auth/passkeys/1': () => {
      passkeys = [{ ...laptop, name: 'Work laptop' }]
      return ok()
    },
    'DELETE /api/auth/passkeys/1': () => {
      passkeys = []
      return ok()
    },
  })
  renderWithProviders(<TwoFactorDialog onClose={() => undefined} />, { withToasts: true })
  return { server, person: userEvent.setup() }
}

const section = () => screen.getByRole('region', { name: 'Passkeys' })
const addButton = () => screen.findByRole('button', { name: 'Add a passkey' })

beforeEach(() => {
  sessionStore.signIn('t', aLeader())
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('the passkeys', () => {
  it('loads the passkeys again after a failure', async () => {
    fakePasskeys()
    const { server, person } = open()
    server.handlers['GET /api/auth/passkeys'] = () => fail(503, 'busy', 'We are busy.')
    expect(await within(section()).findByText('We are busy.')).toBeVisible()
    server.handlers['GET /api/auth/passkeys'] = () => ok([{ ...laptop, lastUsedAt: new Date().toISOString() }])
    await person.click(within(section()).getByRole('button', { name: 'Retry' }))
    const row = await screen.findByRole('listitem')
    expect(row).toHaveTextContent('Laptop')
    expect(row).toHaveTextContent('Added on Mar 9, 2026')
    expect(row).toHaveTextContent(/Last used/)
  })

  it('lists passkeys but offers none where the browser has no support', async () => {
    open([laptop])
    expect(await screen.findByText(/this browser or this address does not support them/)).toBeVisible()
    expect(screen.getByRole('listitem')).toHaveTextContent('Not used yet')
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
  })

  it('disables adding an eleventh passkey', async () => {
    fakePasskeys()
    open(Array.from({ length: 10 }, (_, index) => ({ ...laptop, id: index, name: `Key ${index}` })))
    expect(await addButton()).toBeDisabled()
  })

  it('adds a passkey under a name without its extension results', async () => {
    const { create } = fakePasskeys({ prf: new Uint8Array(32).fill(7) })
    const { server, person } = open()
    expect(await screen.findByText('You have no passkeys yet.')).toBeVisible()
    await person.click(await addButton())
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Laptop')
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Passkey added')).toBeVisible()
    expect(server.to('POST /api/auth/passkeys')[0]?.body).toEqual({
      name: 'Laptop',
      credential: {
        id: 'Y3JlZGVudGlhbC0x',
        clientData: 'Y2xpZW50IGRhdGE',
        attestationObject: 'YXR0ZXN0YXRpb24',
        transports: ['internal'],
      },
    })
    const asked = create.mock.calls[0]?.[0].publicKey
    expect(new TextDecoder().decode(asked?.challenge as BufferSource)).toBe('challenge')
    expect(new TextDecoder().decode(asked?.user.id as BufferSource)).toBe('user')
    expect(asked?.excludeCredentials?.map(({ id }) => new TextDecoder().decode(id))).toEqual(['other'])
    expect(await screen.findByRole('listitem')).toHaveTextContent('Laptop')
  })

  it.each([
    ['NotAllowedError', /closed or timed out/],
    ['InvalidStateError', /already holds a passkey/],
    ['SecurityError', /does not support this/],
    ['UnknownError', /Could not change the passkeys/],
  ])('says what a %s of the browser means, and sends nothing', async (name, words) => {
    const { create } = fakePasskeys()
    create.mockRejectedValue(new DOMException('', name))
    const { server, person } = open()
    await person.click(await addButton())
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Laptop{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    expect(server.to('POST /api/auth/passkeys')).toEqual([])
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Laptop')
  })

  it('renames a passkey unless the name is taken', async () => {
    fakePasskeys()
    const { server, person } = open([laptop])
    const renamed = server.handlers['PUT /api/auth/passkeys/1']!
    server.handlers['PUT /api/auth/passkeys/1'] = () =>
      fail(409, 'passkey_name_taken', 'Taken.', { fields: { name: 'Choose another name.' } })
    await person.click(await screen.findByRole('button', { name: 'Rename Laptop' }))
    const field = screen.getByRole('textbox', { name: 'Name' })
    expect(field).toHaveValue('Laptop')
    await person.type(field, '{Enter}')
    await waitFor(() => expect(field).toHaveAccessibleDescription('Choose another name.'))
    server.handlers['PUT /api/auth/passkeys/1'] = renamed
    await person.clear(field)
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    await person.type(field, 'Work laptop{Enter}')
    expect(await screen.findByText('Passkey renamed')).toBeVisible()
    expect(server.to('PUT /api/auth/passkeys/1').at(-1)?.body).toEqual({ name: 'Work laptop' })
    expect(await screen.findByRole('button', { name: 'Remove Work laptop' })).toBeVisible()
  })

  it('removes a passkey after a confirmation', async () => {
    fakePasskeys()
    const { server, person } = open([laptop])
    await person.click(await screen.findByRole('button', { name: 'Remove Laptop' }))
    const asked = await screen.findByRole('alertdialog', { name: 'Remove “Laptop”?' })
    expect(server.to('DELETE /api/auth/passkeys/1')).toEqual([])
    await person.click(within(asked).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Passkey removed')).toBeVisible()
    expect(await screen.findByText('You have no passkeys yet.')).toBeVisible()
  })
})

describe('a passkey that unlocks the keys', () => {
  async function toUnlock(prf?: Uint8Array<ArrayBuffer>) {
    const browser = fakePasskeys(prf ? { prf } : {})
    const account = await anAccount()
    act(() => sessionStore.signIn('t', account.user))
    const { server, person } = open([laptop])
    server.handlers['GET /api/auth/login-token'] = () => ok(account.session)
    server.handlers['PUT /api/auth/passkeys/1/key'] = () => {
      server.handlers['GET /api/auth/passkeys'] = () => ok([{ ...laptop, sealedUserKey: 'sealed' }])
      return ok()
    }
    await person.click(await screen.findByRole('button', { name: 'Unlock keys with Laptop' }))
    return { server, person, account, ...browser }
  }

  const enter = (person: ReturnType<typeof userEvent.setup>, text: string) =>
    person.type(screen.getByLabelText('Current password'), `${text}{Enter}`)

  it('seals the user key with what the passkey derives, which is not sent', async () => {
    const { server, person, account, get } = await toUnlock(new Uint8Array(32).fill(7))
    await enter(person, password)
    expect(await screen.findByText('This passkey now unlocks your keys')).toBeVisible()
    expect(get.mock.calls[0]?.[0].publicKey).toMatchObject({ userVerification: 'required' })
    const { sealedUserKey } = server.to('PUT /api/auth/passkeys/1/key')[0]?.body as { sealedUserKey: string }
    const ids = { uid: account.user.uuid, cid: account.user.companyUuid }
    const key = await passkeyWrapKey(new Uint8Array(32).fill(7))
    await openPasskeyKey(sealedUserKey, key, ids, account.keys.salt, laptop.credentialId)
    expect(await screen.findByRole('listitem')).toHaveTextContent('Unlocks keys')
    expect(screen.queryByRole('button', { name: 'Unlock keys with Laptop' })).toBeNull()
  })

  it('says that the password is wrong, and stores nothing', async () => {
    const { server, person } = await toUnlock(new Uint8Array(32).fill(7))
    await enter(person, 'not-the-password')
    await waitFor(() =>
      expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(
        'Your current password is incorrect.',
      ),
    )
    expect(server.to('PUT /api/auth/passkeys/1/key')).toEqual([])
  })

  it('shows an error when the passkey cannot derive a key', async () => {
    const { person } = await toUnlock()
    await enter(person, password)
    expect(await screen.findByRole('alert')).toHaveTextContent(/does not support this/)
  })
})
