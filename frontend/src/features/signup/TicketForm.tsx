import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Field } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { MutationError } from '@/components/forms/MutationError'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { verifyRegistrationPassword } from './api'

const fewestCharacters = 8

type Props = { onTicket: (ticket: string) => void; autoFocus?: boolean }

/** The registration password, in plain text: it is read off an invitation, not remembered. */
export function TicketForm({ onTicket, autoFocus = false }: Props) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const [password, setPassword] = useState('')
  const [left, setLeft] = useState(false)
  const verify = useSecretMutation(async () => onTicket(await verifyRegistrationPassword(password)))
  const locked = useSecondsLeft(verify.lockedUntil)
  const short = password.length < fewestCharacters
  const reason = locked > 0 ? t('auth:waitFor', { time: formatClock(locked) }) : short ? t('password.tooShort') : null
  return (
    <Form
      page
      // Before the scripts are there, a form of this kind sends nothing, least of all into the address.
      method="dialog"

      onSubmit={() => {
        if (reason === null) void verify.mutate()
      }}
    >
      <MutationError mutation={verify} fallback={t('password.failed')} />
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
        readOnly={verify.isPending}
        value={password}
        error={left && short && password !== '' ? t('password.tooShort') : undefined}
        onBlur={() => setLeft(true)}
        onChange={(event) => {
          setPassword(event.target.value)
          if (verify.error) verify.reset()
        }}
      />
      <Button type="submit" size="xlarge" fullWidth pending={verify.isPending} disabledReason={reason}>
        {t('password.verify')}
      </Button>
    </Form>
  )
}
