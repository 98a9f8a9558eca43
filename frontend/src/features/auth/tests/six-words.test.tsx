import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { fromBase64url, toBase64url } from '@/crypto/bytes'
import { claimedRevision } from '@/crypto/headers'
import { openKeyBundle, sealNewKeys } from '@/crypto/key-bundle'
import { keyring } from '@/crypto/keyring'
import { makePrivateKeys, publicKeysOf, readPublicKeys } from '@/crypto/member-keys'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { makeUserKeys } from '@/crypto/user-keys'
import { wordsFor } from '@/crypto/words'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aMember, anAdmin } from '@/testing/users'
import ProfileDialog from '../ProfileDialog'

const password = 'mosaic-Tile-2026'
const user = aMember()
const ids = { uid: user.uuid, cid: user.companyUuid }
let userKeys: Awaited<ReturnType<typeof makeUserKeys>>

beforeEach(async () => {
  vi.stubGlobal('Worker', QuickWorker)
  userKeys = await makeUserKeys(password, ids)
  keyring.hold(userKeys.key, ids)
  sessionStore.signIn('t', user)
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

function open(handlers: Parameters<typeof serve>[0]) {
  const server = serve({
    'GET /api/auth/profile/pending': () => ok([]),
    'GET /api/auth/passkeys': () => ok([]),
    'GET /api/auth/login-token': () => ok({ user, salt: userKeys.salt, sealedUserKey: userKeys.userKey }),
    ...handlers,
  })
  renderWithProviders(<ProfileDialog onClose={vi.fn()} />)
  return server
}

const show = async () => userEvent.click(await screen.findByRole('button', { name: 'Show your six words' }))

async function shownWords(): Promise<string> {
  const list = await screen.findByRole('list', { name: 'Your six words' })
  return within(list)
    .getAllByRole('listitem')
    .map((item) => item.textContent)
    .join(' ')
}

describe('the six words in the profile', () => {
  it('shows the words of the user’s keys after the password', async () => {
    const keys = makePrivateKeys()
    const publicKeys = toBase64url(publicKeysOf(keys).encoded)
    const envelope = await sealNewKeys(keys, ids, userKeys.key)
    keyring.lock()
    const server = open({ 'GET /api/storage/keys': () => ok({ publicKeys, envelope, revision: 1 }) })
    await show()
    await fillIn(userEvent, await screen.findByLabelText('Password'), password)
    await userEvent.click(screen.getByRole('button', { name: 'Unlock' }))
    expect(await shownWords()).toBe(await wordsFor(publicKeysOf(keys), ids))
    expect(JSON.stringify(server.calls)).not.toContain(password)
  })

  it('creates keys when the user has none', async () => {
    let stored: { publicKeys: string; envelope: string; revision: number } | null = null
    const server = open({
      'GET /api/storage/keys': () => (stored ? ok(stored) : fail(404, 'storage_keys_missing')),
      'PUT /api/storage/keys': ({ body }) => {
        stored = { ...(body as { publicKeys: string; envelope: string }), revision: 1 }
        return ok(stored)
      },
    })
    await show()
    await userEvent.click(await screen.findByRole('button', { name: 'Create keys' }))
    const words = await shownWords()
    const sent = server.to('PUT /api/storage/keys')[0]!.body as { publicKeys: string; envelope: string }
    const publicKeys = readPublicKeys(fromBase64url(sent.publicKeys)!)
    expect(words).toBe(await wordsFor(publicKeys, ids))
    const { keys } = await openKeyBundle(sent.envelope, ids, userKeys.key)
    expect(publicKeysOf(keys)).toEqual(publicKeys)
    expect(JSON.stringify(sent)).not.toContain(toBase64url(keys.kemSeed))
  })

  it('hides the words of keys locked by a password reset until they are replaced', async () => {
    const publicKeys = toBase64url(publicKeysOf(makePrivateKeys()).encoded)
    let stored = { publicKeys, envelope: null as string | null, revision: 2 }
    const server = open({
      'GET /api/storage/keys': () => ok(stored),
      'PUT /api/storage/keys': ({ body }) => {
        stored = { ...(body as { publicKeys: string; envelope: string }), revision: 3 }
        return ok(stored)
      },
    })
    await show()
    expect(await screen.findByText(/If a computer of yours has the Tessera client, log in there instead/)).toBeVisible()
    expect(screen.queryByRole('list', { name: 'Your six words' })).toBeNull()
    expect(server.to('PUT /api/storage/keys')).toHaveLength(0)
    await userEvent.click(screen.getByRole('button', { name: 'Create new keys' }))
    const words = await shownWords()
    const sent = server.to('PUT /api/storage/keys')[0]!.body as { publicKeys: string; envelope: string }
    expect(sent.publicKeys).not.toBe(publicKeys)
    expect(words).toBe(await wordsFor(readPublicKeys(fromBase64url(sent.publicKeys)!), ids))
    // The server takes the next revision only.
    expect(claimedRevision(sent.envelope)).toBe(3)
  })

  it('offers admins no words', async () => {
    act(() => sessionStore.signIn('t', anAdmin()))
    open({})
    expect(await screen.findByRole('button', { name: 'Save' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Show your six words' })).toBeNull()
  })
})
