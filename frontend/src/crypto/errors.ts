/**
 * `malformed`: not an envelope of the expected form, user or company; no key is needed to see it.
 * `cannotOpen`: well-formed, but not sealed by this key. For the user's key that is, as a rule,
 * a wrong password; it can also be tampering, and nothing tells the two apart.
 */
export class EnvelopeError extends Error {
  constructor(
    readonly code: 'malformed' | 'cannotOpen',
    reason: string,
  ) {
    super(reason)
    this.name = 'EnvelopeError'
  }
}

/** The user's key is not in memory: the password has to be asked for. */
export class KeysLockedError extends Error {
  constructor() {
    super('The keys are locked.')
    this.name = 'KeysLockedError'
  }
}

/** The browser could not run the derivation at all: no worker, no WebAssembly, no memory. */
export class DerivationUnavailableError extends Error {
  constructor() {
    super('This browser could not derive the keys.')
    this.name = 'DerivationUnavailableError'
  }
}

/** The browser's cryptography gives wrong results: nothing may be sealed or sent. */
export class SelfTestError extends Error {
  constructor(part: string) {
    super(`The cryptography of this browser failed its self-test: ${part}.`)
    this.name = 'SelfTestError'
  }
}

/** The server sent a salt that no random generator made: deriving with it would help to guess passwords. */
export class WeakSaltError extends Error {
  constructor() {
    super('The salt is not random.')
    this.name = 'WeakSaltError'
  }
}

/** The server answers an older passphrase than this browser has seen. */
export class PassphraseRollbackError extends Error {
  constructor(
    readonly claimed: number,
    readonly seen: number,
  ) {
    super(`The passphrase of epoch ${claimed} is older than epoch ${seen}.`)
    this.name = 'PassphraseRollbackError'
  }
}
