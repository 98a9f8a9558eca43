import { keyBytes, randomBytes, wipe } from './bytes'
import { openCompanyKey, openSealedPassphrase, sealCompanyKey, sealPassphrase } from './envelopes'
import { EnvelopeError } from './errors'
import { claimedEpoch, type Ids } from './headers'
import { importKey } from './jwe'
import type { Keyring } from './keyring'
import { cryptoSelfTest } from './self-test'

/**
 * `CK~PP`: a new company key for this epoch, and the passphrase sealed by it. Every change of the
 * passphrase takes a new key and the next epoch, so that an old copy of the key opens nothing new.
 */
export async function makeCompanySecrets(passphrase: string, ids: Ids, userKey: CryptoKey, epoch = 1): Promise<string> {
  await cryptoSelfTest()
  const raw = randomBytes(keyBytes)
  try {
    const sealedKey = await sealCompanyKey(raw, userKey, ids, epoch)
    const companyKey = await importKey(raw)
    return `${sealedKey}~${await sealPassphrase(passphrase, companyKey, ids.cid, epoch)}`
  } finally {
    wipe(raw)
  }
}

/** Rejects with a `KeysLockedError` when the password has to be asked for first. */
export async function openPassphrase(pair: string, keyring: Pick<Keyring, 'userKey' | 'ids'>): Promise<string> {
  const [sealedKey, sealedPassphrase, ...more] = pair.split('~')
  if (sealedKey === undefined || sealedPassphrase === undefined || more.length > 0) {
    throw new EnvelopeError('malformed', 'Expected a sealed company key and a sealed passphrase.')
  }
  const ids = keyring.ids()
  const { companyKey, epoch } = await openCompanyKey(sealedKey, keyring.userKey(), ids)
  return openSealedPassphrase(sealedPassphrase, companyKey, ids.cid, epoch)
}

/** The epoch a stored pair claims; a change of the passphrase takes the next one. */
export function epochOf(pair: string): number {
  return claimedEpoch(pair)
}
