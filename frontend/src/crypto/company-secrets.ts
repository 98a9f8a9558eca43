import { keyBytes, randomBytes, wipe } from './bytes'
import {
  openCompanyKey,
  openFormerKey,
  openSealedPassphrase,
  sealCompanyKey,
  sealFormerKey,
  sealPassphrase,
} from './envelopes'
import { EnvelopeError } from './errors'
import { claimedEpoch, type Ids } from './headers'
import { importKey } from './jwe'
import type { Keyring } from './keyring'
import { cryptoSelfTest } from './self-test'

type Keys = Pick<Keyring, 'userKey' | 'ids'>

/** A former passphrase, and the keys that lead to it: each former key is sealed by the one before it. */
export type SealedFormerPassphrase = { companyKey: string; formerKeys: readonly string[]; passphrase: string }

/**
 * `CK~PP`: a new company key for this epoch, and the passphrase sealed by it. Every change of the
 * passphrase takes a new key and the next epoch, so that an old copy of the key opens nothing new.
 */
export async function makeCompanySecrets(passphrase: string, ids: Ids, userKey: CryptoKey, epoch = 1): Promise<string> {
  return (await newSecrets(passphrase, ids, userKey, epoch)).pair
}

/**
 * The next pair, and the former company key sealed by the new one, with which the former passphrase can still be
 * opened. A former key that does not open is left behind: the passphrase can be changed all the same.
 */
export async function replaceCompanySecrets(
  passphrase: string,
  former: string,
  keyring: Keys,
): Promise<{ pair: string; formerKey: string | null }> {
  const ids = keyring.ids()
  const userKey = keyring.userKey()
  const { pair, companyKey } = await newSecrets(passphrase, ids, userKey, epochOf(former) + 1)
  try {
    const [sealedKey] = splitPair(former)
    return { pair, formerKey: await sealFormerKey(sealedKey, ids, userKey, companyKey) }
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    return { pair, formerKey: null }
  }
}

/** Rejects with a `KeysLockedError` when the password has to be asked for first. */
export async function openPassphrase(pair: string, keyring: Keys): Promise<string> {
  const [sealedKey, sealedPassphrase] = splitPair(pair)
  const ids = keyring.ids()
  const { companyKey, epoch } = await openCompanyKey(sealedKey, keyring.userKey(), ids)
  return openSealedPassphrase(sealedPassphrase, companyKey, ids.cid, epoch)
}

/** Goes back from the current key, an epoch a key, to the one that is asked for. */
export async function openFormerPassphrase(
  { companyKey, formerKeys, passphrase }: SealedFormerPassphrase,
  wanted: number,
  keyring: Keys,
): Promise<string> {
  const ids = keyring.ids()
  const current = await openCompanyKey(companyKey, keyring.userKey(), ids)
  let { companyKey: key, epoch } = current
  for (const sealed of formerKeys) {
    epoch -= 1
    key = await openFormerKey(sealed, key, ids.cid, epoch)
  }
  if (epoch !== wanted) throw new EnvelopeError('malformed', 'The keys lead to another epoch.')
  return openSealedPassphrase(passphrase, key, ids.cid, epoch)
}

/** The epoch a stored pair or key claims; a change of the passphrase takes the next one. */
export function epochOf(sealed: string): number {
  return claimedEpoch(sealed)
}

async function newSecrets(
  passphrase: string,
  ids: Ids,
  userKey: CryptoKey,
  epoch: number,
): Promise<{ pair: string; companyKey: CryptoKey }> {
  await cryptoSelfTest()
  const raw = randomBytes(keyBytes)
  try {
    const sealedKey = await sealCompanyKey(raw, userKey, ids, epoch)
    const companyKey = await importKey(raw)
    return { pair: `${sealedKey}~${await sealPassphrase(passphrase, companyKey, ids.cid, epoch)}`, companyKey }
  } finally {
    wipe(raw)
  }
}

function splitPair(pair: string): [sealedKey: string, sealedPassphrase: string] {
  const [sealedKey, sealedPassphrase, ...more] = pair.split('~')
  if (sealedKey === undefined || sealedPassphrase === undefined || more.length > 0) {
    throw new EnvelopeError('malformed', 'Expected a sealed company key and a sealed passphrase.')
  }
  return [sealedKey, sealedPassphrase]
}
