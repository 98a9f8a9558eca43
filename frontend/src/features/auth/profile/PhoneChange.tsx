import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { SentCode } from '@/api/one-time-code'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { Form } from '@/components/forms/Form'
import { Lead } from '@/components/forms/layout'
import { FormActions } from '@/components/forms/FormActions'
import { MutationError } from '@/components/forms/MutationError'
import { SmsCodeForm } from '@/components/forms/SmsCodeForm'
import { useApiForm } from '@/components/forms/use-api-form'
import { toInternational, toPhoneForm, type PhoneForm } from '@/components/phone/phone-number'
import { PhoneFields } from '@/components/phone/PhoneFields'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { askPhoneChange, confirmPhone } from '../api'

const schema = z.custom<PhoneForm>().check(
  z.refine((phone) => toInternational(phone) !== null, {
    path: ['number'],
    error: 'fields.phoneInvalid',
  }),
)

/** A new number takes effect when the code sent to it is entered. */
export default function PhoneChange({ proposed, onBack }: { proposed: string; onBack: () => void }) {
  const { t } = useTranslation('auth')
  const [asked, setAsked] = useState<{ number: string; sent: SentCode } | null>(null)
  const send = async (number: string) => {
    setAsked({ number, sent: await withVerification(() => askPhoneChange(number)) })
  }
  const { register, control, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: toPhoneForm(proposed),
    serverNames: { phoneNumber: 'number' },
    submit: async (phone) => {
      const international = toInternational(phone)
      if (international) await send(international)
    },
  })
  const [country, number] = useWatch({ control, name: ['country', 'number'] })
  const resend = useSecretMutation(async () => {
    if (asked) await send(asked.number)
  })
  const verify = useSecretMutation(async (code: string) => {
    await confirmPhone(code)
    toast.success(t('profile.phoneChanged'))
    onBack()
  })

  if (asked) {
    return (
      <SmsCodeForm
        sent={asked.sent}
        verify={verify}
        resend={resend}
        submitLabel={t('profile.confirmPhone')}
        fallback={t('code.notVerified')}
        back={
          <Button variant="text" size="large" onClick={() => setAsked(null)}>
            {t('common:actions.back')}
          </Button>
        }
      />
    )
  }
  return (
    <Form onSubmit={onSubmit}>
      <Lead>{t('profile.phoneText')}</Lead>
      <MutationError mutation={mutation} fallback={t('code.notSent')} />
      <PhoneFields
        phone={{ country, number }}
        country={register('country')}
        number={register('number')}
        error={formState.errors.number?.message}
        hint={t('fields.phoneHint')}
        autoFocus
        autoComplete="tel"
      />
      <FormActions
        submitLabel={t('profile.sendCode')}
        cancelLabel={t('common:actions.back')}
        onCancel={onBack}
        pending={mutation.isPending}
        disabledReason={formState.isValid ? null : t('fields.phoneInvalid')}
      />
    </Form>
  )
}
