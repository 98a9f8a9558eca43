import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '@/crypto/bytes'
import { deriveKeys } from '@/crypto/derive'
import { openRawUserKey, sealPasskeyKey } from '@/crypto/envelopes'
import { keyring } from '@/crypto/keyring'
import { passkeyWrapKey } from '@/crypto/passkey-keys'
import { fakePasskeys } from '@/testing/passkeys'
import { ok } from '@/testing/server'
import { ids, open, password, press, secret, withPassphrase } from './open-passphrase'

const credentialId = 'Y3JlZGVudGlhbC0x'
const stored = withPassphrase()

async function openLocked(prf: Uint8Array<ArrayBuffer>, sealedWith = prf) {
  const browser = fakePasskeys({ prf: prf.slice() })
  const { salt, userKey } = stored.keys
  const raw = await openRawUserKey(userKey, (await deriveKeys(password, salt)).wrapKey, ids, salt)
  const key = await passkeyWrapKey(sealedWith.slice())
  const sealedUserKey = await sealPasskeyKey(raw, key, ids, salt, credentialId)
  keyring.lock()
  const passkey = { id: 1, name: 'Laptop', credentialId, transports: [], createdAt: '2026-03-09T12:00:00Z' }
  open(stored, { 'GET /api/auth/passkeys': () => ok([{ ...passkey, lastUsedAt: null, sealedUserKey }]) })
  await press('Reveal')
  await screen.findByRole('button', { name: 'Unlock with a passkey' })
  return browser
}

describe('locked keys', () => {
  it('unlocks the keys with a passkey', async () => {
    await openLocked(randomBytes(32))
    await press('Unlock with a passkey')
    expect(await screen.findByText(secret)).toBeVisible()
    expect(keyring.isUnlocked()).toBe(true)
  })

  it('keeps the keys locked when the prompt is closed or the passkey derives another key', async () => {
    const { get } = await openLocked(randomBytes(32), randomBytes(32))
    get.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    await press('Unlock with a passkey')
    expect(await screen.findByText(/closed or timed out/)).toBeVisible()
    await press('Unlock with a passkey')
    expect(await screen.findByText(/does not unlock your keys/)).toBeVisible()
    expect(keyring.isUnlocked()).toBe(false)
  })
})
