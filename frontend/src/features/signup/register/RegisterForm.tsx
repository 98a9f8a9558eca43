import { lazy, Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { toUser } from '@/api/user'
import { Button } from '@/components/Button'
import { Form } from '@/components/forms/Form'
import { Line, Status } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { useApiForm } from '@/components/forms/use-api-form'
import { LtrValue } from '@/components/LtrValue'
import { DEFAULT_COUNTRY } from '@/components/phone/default-country'
import { toast } from '@/components/toast'
import { keyring } from '@/crypto/keyring'
import { makeUserKeys } from '@/crypto/user-keys'
import { startSession } from '@/features/auth'
import { AgreementSentence } from '../AgreementSentence'
import { isPhoneRefused, registerMember, sendSignupCode, verifySignupCode, type Invite } from '../api'
import { personSchema, phoneOf, type Person } from '../person'
import { PersonFields } from '../PersonFields'

const PhoneDialog = lazy(() => import('../PhoneDialog').then((module) => ({ default: module.PhoneDialog })))

type Props = { token: string; invite: Invite }

/** The phone is verified first; the same button registers afterwards. */
export function RegisterForm({ token, invite }: Props) {
  const { t } = useTranslation(['register', 'auth', 'errors'])
  const navigate = useNavigate()
  const [verified, setVerified] = useState<string | null>(null)
  const [verifying, setVerifying] = useState<string | null>(null)
  const form = useApiForm({
    schema: personSchema,
    defaultValues: {
      firstName: '',
      lastName: '',
      email: invite.email,
      country: DEFAULT_COUNTRY,
      number: '',
      password: '',
      confirmation: '',
    },
    submit: async (person) => {
      if (phoneOf(person) !== verified) {
        setVerifying(phoneOf(person))
        return
      }
      try {
        if (await openAccount(token, invite, person)) {
          toast.success(t('registered'))
        } else {
          toast.success(t('registeredFirst'))
          void navigate('/login/company', { replace: true, state: { email: invite.email } })
        }
      } catch (error) {
        if (isPhoneRefused(error)) setVerified(null)
        throw error
      }
    },
  })
  const { control, formState, mutation, onSubmit } = form
  const [number, country] = useWatch({ control, name: ['number', 'country'] })
  const isVerified = verified !== null && phoneOf({ number, country }) === verified

  return (
    <>
      <Form page onSubmit={onSubmit}>
        <Line>
          <LtrValue texts="register" text="address" name="email" value={invite.email} />
        </Line>
        <MutationError mutation={mutation} fallback={t('failed')} />
        <PersonFields form={form} verifiedPhone={verified} withEmail={false} />
        <Button
          type="submit"
          size="xlarge"
          fullWidth
          pending={mutation.isPending}
          disabledReason={formState.isValid ? null : t('fillIn')}
        >
          {t(mutation.isPending ? 'working' : isVerified ? 'submit' : 'verify')}
        </Button>
        <Line>
          <AgreementSentence
            sentence={(agreement) => t('accept', { agreement })}
            name={t('common:screens.agreement')}
          />
        </Line>
        <Status role="status">{mutation.isPending ? t('making') : ''}</Status>
      </Form>
      {verifying ? (
        <Suspense>
          <PhoneDialog
            number={verifying}
            send={() => sendSignupCode({ invite: token }, verifying)}
            verify={async (code) => {
              await verifySignupCode({ invite: token }, verifying, code)
              setVerified(verifying)
            }}
            onDone={() => setVerifying(null)}
            onCancel={() => setVerifying(null)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** Makes the member's own keys; only the leader has the company's. The new session opens the download page; false if
 *  there is none yet, because the company requires its own accounts for logins. */
async function openAccount(token: string, invite: Invite, person: Person): Promise<boolean> {
  const ids = { uid: crypto.randomUUID(), cid: invite.companyUuid }
  const { key, auth, salt, userKey } = await makeUserKeys(person.password, ids)
  const { access_token, user } = await registerMember(token, {
    uuid: ids.uid,
    firstName: person.firstName,
    lastName: person.lastName,
    phoneNumber: phoneOf(person),
    password: auth,
    salt,
    userKey,
  })
  if (access_token === null || user === null) return false
  keyring.hold(key, ids)
  startSession(access_token, toUser(user))
  return true
}
