import { passkeyWrapKey, prfInput } from '@/crypto/passkey-keys'
import { keyring } from '@/crypto/keyring'
import { PasskeyError } from '@/lib/passkey-support'
import { api, dataOf } from './client'
import type { User } from './session'
import type { components } from './types.generated'
import { getOwnSession } from './user'

export type Passkey = components['schemas']['PasskeyRead']

export const passkeysQuery = {
  queryKey: ['auth', 'passkeys'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(api.GET('/api/auth/passkeys', { signal })),
  staleTime: 0,
}

/** Opens the user's keys with one of these passkeys; the server has no part in it. */
export async function unlockWithPasskey(passkeys: readonly Passkey[], user: User): Promise<void> {
  const ids = { uid: user.uuid, cid: user.companyUuid }
  const { evaluatePrf } = await import('@/lib/webauthn')
  const { credentialId, secret } = await evaluatePrf(passkeys, prfInput(ids))
  const sealed = passkeys.find((passkey) => passkey.credentialId === credentialId)?.sealedUserKey
  if (!sealed) throw new PasskeyError('unsupported')
  const { salt } = await getOwnSession()
  await keyring.unlockWithPasskey(await passkeyWrapKey(secret), salt, sealed, credentialId, ids)
}
