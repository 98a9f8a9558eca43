import { onSignOut } from '@/api/session'
import { writeStored } from '@/api/storage'
import { deriveKeys } from './derive'
import { openPasskeyKey, openUserKey } from './envelopes'
import { KeysLockedError } from './errors'
import type { Ids } from './headers'

type Held = { userKey: CryptoKey; ids: Ids }

const replacedKey = 'tessera.keys-replaced'

/** The signed-in user's key, in memory only: a reload locks it, and so does signing out. */
export class Keyring {
  #held: Held | null = null
  #locks = 0
  #listeners = new Set<() => void>()

  /** Rejects with an `EnvelopeError` of code `cannotOpen` when the password is wrong. */
  async unlock(password: string, salt: string, sealedUserKey: string, ids: Ids): Promise<void> {
    const locks = this.#locks
    const { wrapKey } = await deriveKeys(password, salt)
    await this.#open(openUserKey(sealedUserKey, wrapKey, ids, salt), ids, locks)
  }

  /** For sign-in, which has derived the keys before the code was asked for. */
  unlockWith(wrapKey: CryptoKey, salt: string, sealedUserKey: string, ids: Ids): Promise<void> {
    return this.#open(openUserKey(sealedUserKey, wrapKey, ids, salt), ids, this.#locks)
  }

  /** With the key that a passkey derived. */
  unlockWithPasskey(wrapKey: CryptoKey, salt: string, sealed: string, credentialId: string, ids: Ids): Promise<void> {
    return this.#open(openPasskeyKey(sealed, wrapKey, ids, salt, credentialId), ids, this.#locks)
  }

  /** For sign-up and reset, which have just made the key. */
  hold(userKey: CryptoKey, ids: Ids): void {
    this.#held = { userKey, ids: { ...ids } }
    this.#tell()
  }

  /** After a change of the password. The other tabs would seal with the old key, which opens nothing any more. */
  replace(userKey: CryptoKey, ids: Ids): void {
    this.hold(userKey, ids)
    writeStored(replacedKey, String(Date.now()))
    writeStored(replacedKey, null)
  }

  lock(): void {
    this.#locks += 1
    this.#held = null
    this.#tell()
  }

  isUnlocked(): boolean {
    return this.#held !== null
  }

  userKey(): CryptoKey {
    return this.#opened().userKey
  }

  /** What is pinned inside the user's key, not what the server says about the session. */
  ids(): Ids {
    return this.#opened().ids
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #open(opening: Promise<CryptoKey>, ids: Ids, locks: number): Promise<void> {
    const userKey = await opening
    // Signed out while the derivation ran: the key of the former user must not be restored.
    if (locks !== this.#locks) throw new KeysLockedError()
    this.hold(userKey, ids)
  }

  #opened(): Held {
    if (!this.#held) throw new KeysLockedError()
    return this.#held
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

export const keyring = new Keyring()

onSignOut(() => keyring.lock())

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === replacedKey && newValue) keyring.lock()
})
