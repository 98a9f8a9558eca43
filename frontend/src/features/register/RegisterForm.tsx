import { zodResolver } from '@hookform/resolvers/zod'
import { lazy, Suspense, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import styles from '@/features/auth/auth.module.css'
import { describeFailure } from '@/features/auth/describe-failure'
import { FormButton } from '@/features/auth/FormButton'
import { FormError } from '@/features/auth/FormError'
import { DEFAULT_COUNTRY } from '@/features/auth/default-country'
import { Sentence } from '@/features/auth/Sentence'
import { useTask } from '@/features/auth/use-task'
import { sendSignupCode, verifySignupCode } from '@/features/signup/api/phone-codes'
import { isPhoneRefused } from '@/features/signup/api/pass'
import { personSchema, phoneOf, type Person } from '@/features/signup/person'
import { PersonFields } from '@/features/signup/PersonFields'
import type { Invite } from './api/get-invite'
import { openAccount } from './open-account'

const PhoneDialog = lazy(() => import('@/features/signup/PhoneDialog').then((module) => ({ default: module.PhoneDialog })))

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
  const open = useTask(async (person: Person) => {
    try {
      await openAccount(token, invite, person, t('registered'))
    } catch (error) {
      if (isPhoneRefused(error)) setVerified(null)
      throw error
    }
  })
  const submit = handleSubmit(async (person) => {
    if (isVerified) await open.run(person)
    else setVerifying(phoneOf(person))
  })

  return (
    <>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className={styles.line}>
          <Sentence texts="register" text="address" name="email" value={invite.email} />
        </p>
        {open.error ? (
          <FormError key={open.failedAt}>{describeFailure(open.error, t('failed'), t)}</FormError>
        ) : null}
        <PersonFields
          register={register}
          control={control}
          verifiedPhone={verified}
          withEmail={false}
          readOnly={open.pending}
        />
        <FormButton pending={open.pending} disabledReason={formState.isValid ? null : t('fillIn')}>
          {t(open.pending ? 'working' : isVerified ? 'submit' : 'verify')}
        </FormButton>
        <p className={styles.status} role="status">
          {open.pending ? t('making') : ''}
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
