import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '@/features/auth/auth.module.css'
import { describeFailure } from '@/features/auth/describe-failure'
import { Field } from '@/features/auth/Field'
import { FormButton } from '@/features/auth/FormButton'
import { FormError } from '@/features/auth/FormError'
import { asClock, useSecondsLeft } from '@/features/auth/use-seconds-left'
import { useTask } from '@/features/auth/use-task'
import { verifyRegistrationPassword } from './api/verify-registration-password'

const fewestCharacters = 8

type Props = { onTicket: (ticket: string) => void; autoFocus?: boolean }

/** The registration password, in plain text: it is read off an invitation, not remembered. */
export function TicketForm({ onTicket, autoFocus = false }: Props) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const [password, setPassword] = useState('')
  const [left, setLeft] = useState(false)
  const verify = useTask(async () => onTicket(await verifyRegistrationPassword(password)))
  const locked = useSecondsLeft(verify.lockedUntil)
  const short = password.length < fewestCharacters
  const reason = locked > 0 ? t('auth:waitFor', { time: asClock(locked) }) : short ? t('password.tooShort') : null
  return (
    <form
      className={styles.form}
      // Before the scripts are there, a form of this kind sends nothing, least of all into the address.
      method="dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null) void verify.run()
      }}
    >
      {verify.error ? (
        <FormError key={verify.failedAt}>{describeFailure(verify.error, t('password.failed'), t)}</FormError>
      ) : null}
      <Field
        label={t('password.label')}
        type="text"
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoFocus={autoFocus}
        maxLength={200}
        readOnly={verify.pending}
        value={password}
        error={left && short && password !== '' ? t('password.tooShort') : undefined}
        onBlur={() => setLeft(true)}
        onChange={(event) => {
          setPassword(event.target.value)
          if (verify.error) verify.clear()
        }}
      />
      <FormButton pending={verify.pending} disabledReason={reason}>
        {t('password.verify')}
      </FormButton>
    </form>
  )
}
