import { fromBase64url, keyBytes, toBase64url, toUtf8, wipe, type Bytes } from './bytes'
import { EnvelopeError } from './errors'
import {
  claimedEpoch,
  claimedRevision,
  companyKeyHeader,
  formerKeyHeader,
  passkeyHeader,
  passphraseHeader,
  storageKeysHeader,
  userKeyHeader,
  type Ids,
} from './headers'
import { importKey, openJwe, sealJwe } from './jwe'
import { pad, paddedBytes, unpad } from './passphrase'

const userKeyPlaintextBytes = 141
const storageKeysPaddingBytes = 4096
const maxStorageKeysBytes = 256 * 1024

export async function sealUserKey(rawUserKey: Bytes, wrapKey: CryptoKey, ids: Ids, salt: string): Promise<string> {
  return sealPinned(userKeyHeader(ids, salt), rawUserKey, wrapKey, ids)
}

/** The user key for a passkey. The salt is the password's: a new password has another user key. */
export async function sealPasskeyKey(
  rawUserKey: Bytes,
  wrapKey: CryptoKey,
  ids: Ids,
  salt: string,
  credentialId: string,
): Promise<string> {
  return sealPinned(passkeyHeader(ids, salt, credentialId), rawUserKey, wrapKey, ids)
}

export async function openPasskeyKey(
  sealed: string,
  wrapKey: CryptoKey,
  ids: Ids,
  salt: string,
  credentialId: string,
): Promise<CryptoKey> {
  return keep(await openPinned(sealed, passkeyHeader(ids, salt, credentialId), wrapKey, ids))
}

export async function openUserKey(sealed: string, wrapKey: CryptoKey, ids: Ids, salt: string): Promise<CryptoKey> {
  return keep(await openRawUserKey(sealed, wrapKey, ids, salt))
}

/** The caller has to wipe the bytes. */
export async function openRawUserKey(sealed: string, wrapKey: CryptoKey, ids: Ids, salt: string): Promise<Bytes> {
  return openPinned(sealed, userKeyHeader(ids, salt), wrapKey, ids)
}

async function sealPinned(header: string, rawUserKey: Bytes, wrapKey: CryptoKey, ids: Ids): Promise<string> {
  const plaintext = toUtf8(pinnedUserKey(toBase64url(checkKey(rawUserKey)), ids))
  const sealed = await sealJwe(header, plaintext, wrapKey)
  wipe(plaintext)
  return sealed
}

async function openPinned(sealed: string, header: string, wrapKey: CryptoKey, ids: Ids): Promise<Bytes> {
  const plaintext = await openJwe(sealed, header, userKeyPlaintextBytes, wrapKey)
  const text = new TextDecoder().decode(plaintext)
  wipe(plaintext)
  // The header is open to whoever sealed; what is pinned inside ties the key to its owner.
  const encoded = text.slice(6, 49)
  const key = fromBase64url(encoded)
  if (key?.length !== keyBytes || text !== pinnedUserKey(encoded, ids)) {
    throw new EnvelopeError('cannotOpen', 'The key is not pinned to this user and company.')
  }
  return key
}

export async function sealCompanyKey(
  rawCompanyKey: Bytes,
  userKey: CryptoKey,
  ids: Ids,
  epoch: number,
): Promise<string> {
  return sealJwe(companyKeyHeader(ids, epoch), checkKey(rawCompanyKey), userKey)
}

export async function openCompanyKey(
  sealed: string,
  userKey: CryptoKey,
  ids: Ids,
): Promise<{ companyKey: CryptoKey; epoch: number }> {
  const { raw, epoch } = await openRawCompanyKey(sealed, userKey, ids)
  return { companyKey: await keep(raw), epoch }
}

/** The caller has to wipe the bytes. */
export async function openRawCompanyKey(
  sealed: string,
  userKey: CryptoKey,
  ids: Ids,
): Promise<{ raw: Bytes; epoch: number }> {
  const epoch = claimedEpoch(sealed)
  return { raw: await openJwe(sealed, companyKeyHeader(ids, epoch), keyBytes, userKey), epoch }
}

/** The same company key for another user key. */
export async function resealCompanyKey(sealed: string, ids: Ids, from: CryptoKey, to: CryptoKey): Promise<string> {
  const { raw, epoch } = await openRawCompanyKey(sealed, from, ids)
  try {
    return await sealCompanyKey(raw, to, ids, epoch)
  } finally {
    wipe(raw)
  }
}

/** The same company key, sealed by the company key of the next epoch. */
export async function sealFormerKey(sealed: string, ids: Ids, from: CryptoKey, nextKey: CryptoKey): Promise<string> {
  const { raw, epoch } = await openRawCompanyKey(sealed, from, ids)
  try {
    return await sealJwe(formerKeyHeader(ids.cid, epoch), raw, nextKey)
  } finally {
    wipe(raw)
  }
}

export async function openFormerKey(
  sealed: string,
  nextKey: CryptoKey,
  cid: string,
  epoch: number,
): Promise<CryptoKey> {
  return keep(await openJwe(sealed, formerKeyHeader(cid, epoch), keyBytes, nextKey))
}

/** The same keys for files under another user key, as the next revision. */
export async function resealStorageKeys(sealed: string, ids: Ids, from: CryptoKey, to: CryptoKey): Promise<string> {
  const plaintext = await openStorageKeys(sealed, ids, from)
  try {
    return await sealStorageKeys(plaintext, ids, claimedRevision(sealed) + 1, to)
  } finally {
    wipe(plaintext)
  }
}

/** The padded keys for files. The caller has to wipe the bytes. */
export async function openStorageKeys(sealed: string, ids: Ids, userKey: CryptoKey): Promise<Bytes> {
  const bytes = fromBase64url(sealed.split('.')[3] ?? '')?.length ?? 0
  if (bytes === 0 || bytes % storageKeysPaddingBytes !== 0 || bytes > maxStorageKeysBytes) {
    throw new EnvelopeError('malformed', 'The keys for files have an unexpected size.')
  }
  return openJwe(sealed, storageKeysHeader(ids, claimedRevision(sealed)), bytes, userKey)
}

export function sealStorageKeys(padded: Bytes, ids: Ids, revision: number, userKey: CryptoKey): Promise<string> {
  return sealJwe(storageKeysHeader(ids, revision), padded, userKey)
}

export async function sealPassphrase(
  passphrase: string,
  companyKey: CryptoKey,
  cid: string,
  epoch: number,
): Promise<string> {
  const plaintext = pad(passphrase)
  const sealed = await sealJwe(passphraseHeader(cid, epoch), plaintext, companyKey)
  wipe(plaintext)
  return sealed
}

/** The epoch is the company key's: a passphrase of another epoch is refused. */
export async function openSealedPassphrase(
  sealed: string,
  companyKey: CryptoKey,
  cid: string,
  epoch: number,
): Promise<string> {
  const plaintext = await openJwe(sealed, passphraseHeader(cid, epoch), paddedBytes, companyKey)
  try {
    return unpad(plaintext)
  } finally {
    wipe(plaintext)
  }
}

function pinnedUserKey(encodedKey: string, { uid, cid }: Ids): string {
  return JSON.stringify({ k: encodedKey, uid, cid })
}

function checkKey(raw: Bytes): Bytes {
  if (raw.length !== keyBytes) throw new RangeError('A key has 32 bytes.')
  return raw
}

async function keep(raw: Bytes): Promise<CryptoKey> {
  try {
    return await importKey(raw)
  } finally {
    wipe(raw)
  }
}
