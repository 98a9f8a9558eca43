import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { epochOf, makeCompanySecrets, openPassphrase } from './company-secrets'
import { deriveKeys } from './derive'
import { Keyring, keyring } from './keyring'
import { QuickWorker } from './testing/quick-worker'
import { makeUserKeys, openWithPassword, replaceUserKey } from './user-keys'

const ids = { uid: crypto.randomUUID(), cid: crypto.randomUUID() }
const password = 'mosaic-Tile-2026'
const passphrase = 'three clouds, one mosaic'

beforeEach(() => {
  vi.stubGlobal('Worker', QuickWorker)
  keyring.lock()
})

describe('the keyring', () => {
  it('opens the passphrase that sign-up has sealed, after a later sign-in', async () => {
    const made = await makeUserKeys(password, ids)
    const pair = await makeCompanySecrets(passphrase, ids, made.key)
    await keyring.unlock(password, made.salt, made.userKey, ids)
    expect(await openPassphrase(pair, keyring)).toBe(passphrase)
    expect(epochOf(pair)).toBe(1)
  })

  it('takes the key that sign-in has derived, and the one that sign-up has made', async () => {
    const made = await makeUserKeys(password, ids)
    const pair = await makeCompanySecrets(passphrase, ids, made.key, 7)
    const { auth, wrapKey } = await deriveKeys(password, made.salt)
    expect(auth).toBe(made.auth)
    await keyring.unlockWith(wrapKey, made.salt, made.userKey, ids)
    expect(await openPassphrase(pair, keyring)).toBe(passphrase)
    keyring.lock()
    keyring.hold(made.key, ids)
    expect(await openPassphrase(pair, keyring)).toBe(passphrase)
    expect(epochOf(pair)).toBe(7)
  })

  it('holds no key that could be carried away', async () => {
    const made = await makeUserKeys(password, ids)
    expect(made.key.extractable).toBe(false)
    await keyring.unlock(password, made.salt, made.userKey, ids)
    expect(keyring.userKey().extractable).toBe(false)
    expect(JSON.stringify(keyring)).toBe('{}')
  })

  it('stays locked on a wrong password', async () => {
    const made = await makeUserKeys(password, ids)
    const wrong = keyring.unlock('another password', made.salt, made.userKey, ids)
    await expect(wrong).rejects.toMatchObject({ code: 'cannotOpen' })
    expect(keyring.isUnlocked()).toBe(false)
  })

  it('refuses the key of another user or company', async () => {
    const made = await makeUserKeys(password, ids)
    for (const other of [
      { ...ids, uid: ids.cid },
      { ...ids, cid: ids.uid },
    ]) {
      const unlock = keyring.unlock(password, made.salt, made.userKey, other)
      await expect(unlock).rejects.toMatchObject({ code: 'malformed' })
    }
  })

  it('refuses a pair that was sealed for another user', async () => {
    const made = await makeUserKeys(password, ids)
    const pair = await makeCompanySecrets(passphrase, { ...ids, uid: ids.cid }, made.key)
    keyring.hold(made.key, ids)
    await expect(openPassphrase(pair, keyring)).rejects.toMatchObject({ code: 'malformed' })
  })

  it('locks on sign-out and tells who listens', async () => {
    const listener = vi.fn()
    const stop = keyring.subscribe(listener)
    keyring.hold((await makeUserKeys(password, ids)).key, ids)
    expect(keyring.isUnlocked()).toBe(true)
    sessionStore.signOut('loggedOut')
    expect(keyring.isUnlocked()).toBe(false)
    expect(() => keyring.userKey()).toThrow('locked')
    expect(() => keyring.ids()).toThrow('locked')
    await expect(openPassphrase('a~b', keyring)).rejects.toMatchObject({ name: 'KeysLockedError' })
    expect(listener).toHaveBeenCalledTimes(2)
    stop()
    keyring.lock()
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('does not take up a key when signed out meanwhile', async () => {
    const made = await makeUserKeys(password, ids)
    const own = new Keyring()
    const unlocking = own.unlock(password, made.salt, made.userKey, ids)
    own.lock()
    await expect(unlocking).rejects.toMatchObject({ name: 'KeysLockedError' })
    expect(own.isUnlocked()).toBe(false)
  })
})

describe('a change of the password', () => {
  const next = 'a mosaic of other tiles'

  async function aHolder() {
    const made = await makeUserKeys(password, ids)
    const pair = await makeCompanySecrets(passphrase, ids, made.key)
    const [sealedCompanyKey = '', sealedPassphrase = ''] = pair.split('~')
    const stored = { salt: made.salt, sealedUserKey: made.userKey, sealedCompanyKey, storageKeys: null }
    return { made, sealedPassphrase, stored }
  }

  it('makes a new user key, which alone opens what is stored after it', async () => {
    const { made, sealedPassphrase, stored } = await aHolder()
    const old = await openWithPassword(password, stored, ids)
    const changed = await replaceUserKey(old, next, stored, ids)
    expect(changed.oldAuth).toBe(made.auth)
    expect(changed.auth).not.toBe(made.auth)
    expect(changed.salt).not.toBe(made.salt)
    expect(changed.storageKeys).toBeNull()
    await keyring.unlock(next, changed.salt, changed.userKey, ids)
    const pair = `${changed.companyKey}~${sealedPassphrase}`
    expect(await openPassphrase(pair, keyring)).toBe(passphrase)
    await keyring.unlock(password, made.salt, made.userKey, ids)
    await expect(openPassphrase(pair, keyring)).rejects.toMatchObject({ code: 'cannotOpen' })
  })

  it('needs the old password', async () => {
    const { stored } = await aHolder()
    await expect(openWithPassword('not the old one', stored, ids)).rejects.toMatchObject({ code: 'cannotOpen' })
  })

  it('locks the key in the other tabs, and holds the new one here', async () => {
    const { key } = await makeUserKeys(next, ids)
    const stored = vi.spyOn(Storage.prototype, 'setItem')
    keyring.replace(key, ids)
    expect(keyring.userKey()).toBe(key)
    const [name, value] = stored.mock.calls[0] ?? []
    expect(localStorage.getItem(name ?? '')).toBeNull()
    window.dispatchEvent(new StorageEvent('storage', { key: 'tessera.token', newValue: value }))
    expect(keyring.isUnlocked()).toBe(true)
    window.dispatchEvent(new StorageEvent('storage', { key: name, newValue: value }))
    expect(keyring.isUnlocked()).toBe(false)
  })
})
