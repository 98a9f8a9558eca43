import { fromBase64url, toBase64url } from '@/crypto/bytes'
import { EnvelopeError } from '@/crypto/errors'
import type { KeyBundle } from '@/crypto/key-bundle'
import { keyring } from '@/crypto/keyring'
import { api, dataOf } from './client'
import { ApiError } from './errors'
import type { components } from './types.generated'

export type StoredMemberKeys = components['schemas']['KeysRead']

/** The signed-in user's sealed key pairs, or null before they have made any. */
export async function getMemberKeys(): Promise<StoredMemberKeys | null> {
  try {
    return await dataOf(api.GET('/api/storage/keys'))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'storage_keys_missing') return null
    throw error
  }
}

/** Refuses public keys of the server that are not those of the opened private ones. */
export async function openMemberKeys({ publicKeys, envelope }: StoredMemberKeys): Promise<KeyBundle> {
  const [{ openKeyBundle }, { publicKeysOf }] = await Promise.all([
    import('@/crypto/key-bundle'),
    import('@/crypto/member-keys'),
  ])
  const bundle = await openKeyBundle(envelope ?? '', keyring.ids(), keyring.userKey())
  if (toBase64url(publicKeysOf(bundle.keys).encoded) !== publicKeys) {
    throw new EnvelopeError('malformed', 'The server has other public keys than these.')
  }
  return bundle
}

/** Makes the user's first key pairs, as the client does at first login, or others in place of those a reset locked. */
export async function makeMemberKeys(locked: StoredMemberKeys | null = null): Promise<StoredMemberKeys> {
  const [{ sealNewKeys }, { makePrivateKeys, publicKeysOf }] = await Promise.all([
    import('@/crypto/key-bundle'),
    import('@/crypto/member-keys'),
  ])
  const keys = makePrivateKeys()
  const envelope = await sealNewKeys(keys, keyring.ids(), keyring.userKey(), (locked?.revision ?? 0) + 1)
  const publicKeys = toBase64url(publicKeysOf(keys).encoded)
  return dataOf(api.PUT('/api/storage/keys', { body: { publicKeys, envelope } }))
}

export async function readMemberPublicKeys(publicKeys: string) {
  const { readPublicKeys } = await import('@/crypto/member-keys')
  return readPublicKeys(fromBase64url(publicKeys) ?? new Uint8Array())
}
