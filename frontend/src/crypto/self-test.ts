import { fromBase64url } from './base64url'
import type { DerivedKeys } from './derive-here'
import { openCompanyKey, openSealedPassphrase, openUserKey } from './envelopes'
import { DerivationUnavailableError, EnvelopeError, SelfTestError } from './errors'
import { importKey } from './jwe'
import { knownAnswer } from './known-answer'

let result: Promise<void> | null = null

/**
 * Opens known envelopes with known keys, once a page; a few milliseconds. Rejects with a
 * `SelfTestError`, and then nobody may sign in or seal anything here.
 */
export function cryptoSelfTest(): Promise<void> {
  result ??= testEnvelopes()
  return result
}

/** The slow half, with the real parameters, through the same worker as a real derivation. */
export async function derivationSelfTest(
  derive: (password: string, salt: string) => Promise<DerivedKeys>,
): Promise<void> {
  const { password, salt, auth, userKey, ids } = knownAnswer
  try {
    const derived = await derive(password, salt)
    if (derived.auth !== auth) throw new SelfTestError('login secret')
    await openUserKey(userKey, derived.wrapKey, ids, salt)
  } catch (error) {
    if (error instanceof EnvelopeError) throw new SelfTestError('wrap key')
    if (error instanceof SelfTestError) throw error
    throw new DerivationUnavailableError()
  }
}

async function testEnvelopes(): Promise<void> {
  const opened = await openAll(knownAnswer.sealedPassphrase).catch(() => null)
  if (opened !== knownAnswer.passphrase) throw new SelfTestError('envelopes')
  // A cipher that does not check its tag would pass the first half.
  const tampered = knownAnswer.sealedPassphrase.replace(/\.(.)([^.]*)$/, (_, first, rest) =>
    first === 'A' ? `.B${rest}` : `.A${rest}`,
  )
  const refused = await openAll(tampered).then(
    () => false,
    (error: unknown) => error instanceof EnvelopeError && error.code === 'cannotOpen',
  )
  if (!refused) throw new SelfTestError('tampering')
}

async function openAll(sealedPassphrase: string): Promise<string> {
  const { wrapKey, userKey, companyKey, ids, salt } = knownAnswer
  const wrap = await importKey(fromBase64url(wrapKey) ?? new Uint8Array())
  const user = await openUserKey(userKey, wrap, ids, salt)
  const company = await openCompanyKey(companyKey, user, ids)
  return openSealedPassphrase(sealedPassphrase, company.companyKey, ids.cid, company.epoch)
}
