import { makeCompanySecrets } from '@/crypto/company-secrets'
import { makeUserKeys } from '@/crypto/user-keys'
import { toCompanyUpdate } from '@/features/companies'
import type { Registration } from './api'
import type { Draft } from './draft'
import { phoneOf } from './person'
import { plan } from './flow'
import type { Secrets } from './use-signup'

export type Phase = 'idle' | 'keys' | 'sealing' | 'registering'

type Sealed = { auth: string; salt: string; userKey: string; key: CryptoKey; passPhrase: string }

/**
 * Everything secret, derived and sealed here. Made once for the same password and passphrase: a submit that is
 * repeated because no answer came must carry the same secret, by which the server knows it again.
 */
export function makeSealer() {
  let made: { from: string; sealed: Sealed } | null = null
  return async (draft: Draft, secrets: Secrets, onPhase: (phase: Phase) => void): Promise<Sealed> => {
    const { ids } = draft
    const from = JSON.stringify([ids, secrets.password, secrets.passphrase.passphrase])
    if (made?.from === from) return made.sealed
    onPhase('keys')
    const keys = await makeUserKeys(secrets.password, ids)
    onPhase('sealing')
    const passPhrase = await makeCompanySecrets(secrets.passphrase.passphrase, ids, keys.key)
    made = { from, sealed: { ...keys, passPhrase } }
    return made.sealed
  }
}

export function toRegistration(draft: Draft, card: string, sealed: Sealed): Registration {
  const { ids, person, company } = draft
  return {
    user: {
      uuid: ids.uid,
      firstName: person.firstName,
      lastName: person.lastName,
      email_address: person.email,
      phoneNumber: phoneOf(person),
      password: sealed.auth,
      salt: sealed.salt,
      userKey: sealed.userKey,
    },
    company: { uuid: ids.cid, ...toCompanyUpdate(company), passPhrase: sealed.passPhrase },
    payment: { stripeToken: card, email: draft.billingEmail ?? company.email, planId: plan.id },
  }
}
