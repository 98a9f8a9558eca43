import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { SentCode } from '@/api/one-time-code'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { DialogForm } from '@/components/forms/DialogForm'
import { SmsCodeForm } from '@/components/forms/SmsCodeForm'
import { useApiForm } from '@/components/forms/use-api-form'
import { toInternational, toPhoneForm } from '@/components/phone/phone-number'
import { phoneShape, validPhone } from '@/components/phone/phone-schema'
import { PhoneFields } from '@/components/phone/PhoneFields'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { askPhoneChange, confirmPhone } from '../api'

const schema = z.object(phoneShape).check(validPhone)

/** A new number takes effect when the code sent to it is entered. */
export default function PhoneChange({ proposed, onBack }: { proposed: string; onBack: () => void }) {
  const { t } = useTranslation('auth')
  const [asked, setAsked] = useState<{ number: string; sent: SentCode } | null>(null)
  const send = async (number: string) => {
    setAsked({ number, sent: await withVerification(() => askPhoneChange(number)) })
  }
  const form = useApiForm({
    schema,
    defaultValues: toPhoneForm(proposed),
    serverNames: { phoneNumber: 'number' },
    submit: async (phone) => {
      const international = toInternational(phone)
      if (international) await send(international)
    },
  })
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
    <DialogForm
      lead={t('profile.phoneText')}
      mutation={form.mutation}
      failure={t('code.notSent')}
      submitLabel={t('profile.sendCode')}
      cancelLabel={t('common:actions.back')}
      disabledReason={form.formState.isValid ? null : t('fields.phoneInvalid')}
      onSubmit={form.onSubmit}
      onCancel={onBack}
    >
      <PhoneFields form={form} hint={t('fields.phoneHint')} autoFocus autoComplete="tel" />
    </DialogForm>
  )
}
