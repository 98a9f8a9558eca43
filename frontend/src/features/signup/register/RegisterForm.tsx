import { zodResolver } from '@hookform/resolvers/zod'
import { lazy, Suspense, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import styles from '@/components/forms/form.module.css'
import { MutationError } from '@/components/forms/FormError'
import { LtrValue } from '@/components/LtrValue'
import { DEFAULT_COUNTRY } from '@/components/phone/default-country'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { isPhoneRefused, sendSignupCode, verifySignupCode, type Invite } from '../api'
import { personSchema, phoneOf, type Person } from '../person'
import { PersonFields } from '../PersonFields'
import { openAccount } from './open-account'

const PhoneDialog = lazy(() => import('../PhoneDialog').then((module) => ({ default: module.PhoneDialog })))

type Props = { token: string; invite: Invite }

/** The phone is verified first; the same button registers afterwards. */
export function RegisterForm({ token, invite }: Props) {
  const { t } = useTranslation(['register', 'auth', 'errors'])
  const [verified, setVerified] = useState<string | null>(null)
  const [verifying, setVerifying] = useState<string | null>(null)
  const { register, control, handleSubmit, formState } = useForm<Person>({
    resolver: zodResolver(personSchema),
    mode: 'onTouched',
    defaultValues: {
      firstName: '',
      lastName: '',
      email: invite.email,
      country: DEFAULT_COUNTRY,
      number: '',
      password: '',
      confirmation: '',
    },
  })
  const [number, country] = useWatch({ control, name: ['number', 'country'] })
  const isVerified = verified !== null && phoneOf({ number, country }) === verified
  const open = useSecretMutation(async (person: Person) => {
    try {
      await openAccount(token, invite, person, t('registered'))
    } catch (error) {
      if (isPhoneRefused(error)) setVerified(null)
      throw error
    }
  })
  const submit = handleSubmit(async (person) => {
    if (isVerified) await open.mutate(person)
    else setVerifying(phoneOf(person))
  })

  return (
    <>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className={styles.line}>
          <LtrValue texts="register" text="address" name="email" value={invite.email} />
        </p>
        <MutationError mutation={open} fallback={t('failed')} />
        <PersonFields
          register={register}
          control={control}
          verifiedPhone={verified}
          withEmail={false}
          readOnly={open.isPending}
        />
        <Button
          type="submit"
          size="xlarge"
          fullWidth
          pending={open.isPending}
          disabledReason={formState.isValid ? null : t('fillIn')}
        >
          {t(open.isPending ? 'working' : isVerified ? 'submit' : 'verify')}
        </Button>
        <p className={styles.status} role="status">
          {open.isPending ? t('making') : ''}
        </p>
      </form>
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
