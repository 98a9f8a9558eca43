import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import { toUser } from '@/api/user'
import { isEmail } from '@/components/forms/schemas'
import { toast } from '@/components/toast'
import { keyring } from '@/crypto/keyring'
import { rememberEpoch } from '@/crypto/seen-epochs'
import { startSession } from '@/features/auth'
import { companySchema, passphraseProblem } from '@/features/companies'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { CancelledError } from '@/lib/deferred'
import { isPhoneRefused, isTicketRefused, isUnderWay, registerTeamLeader, type Registered } from '../api'
import { dropDraft, type Draft } from '../draft'
import type { Step } from '../flow'
import { personSchema, phoneOf } from '../person'
import { makeSealer, toRegistration, type Phase } from '../registration'
import type { Secrets, Signup } from '../use-signup'

const UNDER_WAY_MS = 2_000

function wait(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, UNDER_WAY_MS))
}

/** The first step that was left with something missing, as the browser's own buttons allow. */
async function findIncomplete({ company, person, billingEmail }: Draft, secrets: Secrets): Promise<Step | null> {
  if (!companySchema.safeParse(company).success) return 'company'
  const { password, confirmation, passphrase } = secrets
  if (!(await personSchema.safeParseAsync({ ...person, password, confirmation })).success) return 'leader'
  if (passphraseProblem(passphrase) !== null) return 'passphrase'
  return isEmail((billingEmail ?? company.email).trim()) ? null : 'payment'
}

/** The long submit: keys, sealing, and one call that makes everything or nothing. */
export function useSubmit(signup: Signup) {
  const { t } = useTranslation('signup')
  const [phase, setPhase] = useState<Phase>('idle')
  const [seal] = useState(makeSealer)

  /** What the server asks for in the middle is asked of the person, and then the same is sent again. */
  async function send(card: string): Promise<Registered & { key: CryptoKey }> {
    for (;;) {
      if (signup.latest().verifiedPhone !== phoneOf(signup.latest().person)) await signup.phoneDialog.open()
      // Read only now: the phone may have been verified under a new ticket.
      const draft = signup.latest()
      const ticket = draft.ticket ?? (await signup.renewTicket())
      const sealed = await seal(draft, signup.secrets, setPhase)
      setPhase('registering')
      try {
        const registered = await registerTeamLeader(ticket, toRegistration(draft, card, sealed))
        return { ...registered, key: sealed.key }
      } catch (error) {
        if (isUnderWay(error)) await wait()
        else if (isTicketRefused(error)) await signup.renewTicket()
        else if (isPhoneRefused(error)) signup.update({ verifiedPhone: null })
        else throw error
      }
    }
  }

  const submission = useSecretMutation(async (card: string) => {
    const incomplete = await findIncomplete(signup.latest(), signup.secrets)
    if (incomplete) {
      signup.goTo(incomplete)
      return
    }
    try {
      const { access_token, user, key } = await send(card)
      keyring.hold(key, signup.latest().ids)
      rememberEpoch(signup.latest().ids.cid, 1)
      dropDraft()
      toast.success(t('review.registered'))
      startSession(access_token, toUser(user))
    } catch (error) {
      // Without an answer nobody knows how it went: the same may be sent again, and answers what came of it.
      if (!(error instanceof CancelledError || (error instanceof ApiError && error.status === 0))) {
        signup.keepSecrets({ card: null })
        signup.update({ freeEmail: null })
      }
      throw error
    } finally {
      setPhase('idle')
    }
  })
  return { phase, submission }
}
