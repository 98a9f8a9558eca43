/** Browsers bind passkeys to names, not to IP addresses. */
export function passkeysSupported(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)
}

/**
 * `cancelled`: the user closed the browser's prompt, or it timed out; browsers do not tell which.
 * `exists`: the authenticator already holds a passkey of this account.
 * `unsupported`: this browser, page or passkey cannot do what was asked for.
 */
export class PasskeyError extends Error {
  constructor(readonly code: 'cancelled' | 'exists' | 'unsupported') {
    super(`No passkey: ${code}.`)
    this.name = 'PasskeyError'
  }
}
