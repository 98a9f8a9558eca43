import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { makeCompanySecrets } from '@/crypto/company-secrets'
import { keyring } from '@/crypto/keyring'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { makeUserKeys } from '@/crypto/user-keys'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import PassphraseDialog from '../PassphraseDialog'

export const password = 'mosaic-Tile-2026'
export const secret = 'three clouds, one mosaic'
export const user = aLeader()
export const ids = { uid: user.uuid, cid: user.companyUuid }

type Stored = { keys: Awaited<ReturnType<typeof makeUserKeys>>; pair: string }

/** Signs a leader in whose passphrase is of epoch 4, and leaves nothing behind. Answers what the server stores. */
export function withPassphrase(): Stored {
  const stored = {} as Stored
  beforeEach(async () => {
    vi.stubGlobal('Worker', QuickWorker)
    stored.keys = await makeUserKeys(password, ids)
    stored.pair = await makeCompanySecrets(secret, ids, stored.keys.key, 4)
    keyring.hold(stored.keys.key, ids)
    sessionStore.signIn('t', user)
  })
  afterEach(() => {
    act(() => sessionStore.signOut('expired'))
    vi.useRealTimers()
    vi.unstubAllGlobals()
    localStorage.clear()
  })
  return stored
}

export type Handlers = Parameters<typeof serve>[0]

export function open(stored: Stored, more: Handlers = {}) {
  const server = serve({
    'GET /api/company/passphrase': () => new Response(stored.pair),
    'PUT /api/company/passphrase': () => ok(),
    'GET /api/company/passphrase/former': () => ok([]),
    'GET /api/company/key-holder': () => ok(null),
    'GET /api/auth/login-token': () => {
      const { salt, userKey: sealedUserKey } = stored.keys
      return ok({ access_token: 't', user, salt, sealedUserKey })
    },
    ...more,
  })
  renderWithProviders(<PassphraseDialog onClose={vi.fn()} />, { withToasts: true })
  return server
}

export const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
