import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { SubmitButton } from '@/components/SubmitButton'
import { toast } from '@/components/toast'
import { askPhoneChange } from '../api/ask-phone-change'
import { confirmPhone } from '../api/confirm-phone'
import type { SentCode } from '../api/sent-code'
import styles from '../auth.module.css'
import { CodeEntry } from '../CodeEntry'
import { describeFailure } from '../describe-failure'
import { landOnFields } from '../form-errors'
import { FormError } from '../FormError'
import { DEFAULT_COUNTRY } from '../default-country'
import { toInternational } from '../phone-number'
import { PhoneFields, type PhoneForm } from '../PhoneFields'
import { TextButton } from '../TextButton'
import { useTask } from '../use-task'
import { VerificationCancelledError, withVerification } from '../verification'

const schema = z.custom<PhoneForm>().check(
  z.refine(({ country, number }) => toInternational(number, country) !== null, {
    path: ['number'],
    error: 'fields.phoneInvalid',
  }),
)

/** A new number changes nothing until the code that it received has been typed in. */
export default function PhoneChange({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('auth')
  const [asked, setAsked] = useState<{ number: string; sent: SentCode } | null>(null)
  const { register, handleSubmit, setError, formState } = useForm<PhoneForm>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { country: DEFAULT_COUNTRY, number: '' },
  })
  const send = async (number: string) => {
    try {
      setAsked({ number, sent: await withVerification(() => askPhoneChange(number)) })
    } catch (error) {
      if (error instanceof VerificationCancelledError) return
      if (!landOnFields(error, setError, { phoneNumber: 'number' })) throw error
    }
  }
  const ask = useTask(send)
  const resend = useTask(async () => {
    if (asked) await send(asked.number)
  })
  const verify = useTask(async (code: string) => {
    await confirmPhone(code)
    toast.success(t('profile.phoneChanged'))
    onBack()
  })
  const submit = handleSubmit(async ({ number, country }) => {
    const international = toInternational(number, country)
    if (international) await ask.run(international)
  })

  if (asked) {
    return (
      <CodeEntry
        sent={asked.sent}
        verify={verify}
        resend={resend}
        submitLabel={t('profile.confirmPhone')}
        fallback={t('code.notVerified')}
        back={<TextButton onClick={() => setAsked(null)}>{t('profile.back')}</TextButton>}
      />
    )
  }
  return (
    <form className={styles.dialogForm} noValidate onSubmit={(event) => void submit(event)}>
      <p className={styles.lead}>{t('profile.phoneText')}</p>
      {ask.error ? <FormError key={ask.failedAt}>{describeFailure(ask.error, t('code.notSent'), t)}</FormError> : null}
      <PhoneFields register={register} errors={formState.errors} autoFocus />
      <div className={styles.actions}>
        <Button onClick={onBack}>{t('profile.back')}</Button>
        <SubmitButton pending={ask.pending} disabledReason={formState.isValid ? null : t('fields.phoneInvalid')}>
          {t('profile.sendCode')}
        </SubmitButton>
      </div>
    </form>
  )
}
