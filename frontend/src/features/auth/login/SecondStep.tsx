import { useTranslation } from 'react-i18next'
import type { TwoFactorStep } from '@/api/one-time-code'
import { AuthCard } from '@/components/AuthCard'
import { Button } from '@/components/Button'
import { SmsCodeForm } from '@/components/forms/SmsCodeForm'
import { AuthenticatorCodeForm } from '../AuthenticatorCodeForm'
import { PasskeyForm } from '../PasskeyForm'
import type { useLogin } from './use-login'

type Props = { step: TwoFactorStep; login: ReturnType<typeof useLogin> }

/** After the password: a code or a passkey. */
export default function SecondStep({ step, login: { verify, verifyPasskey, resend, goBack } }: Props) {
  const { t } = useTranslation('auth')
  const isPasskey = step.method === 'passkey'
  const words = {
    submitLabel: t(isPasskey ? 'passkey.use' : 'login.verify'),
    fallback: t(isPasskey ? 'passkey.failed' : 'login.failed'),
    back: (
      <Button variant="text" size="large" onClick={goBack}>
        {t('login.goBack')}
      </Button>
    ),
  }
  return (
    <AuthCard title={t(isPasskey ? 'passkey.title' : 'login.codeTitle')} text={t('login.codeText')}>
      {isPasskey ? <PasskeyForm verify={verifyPasskey} change={step.orCode ? resend : null} {...words} /> : null}
      {step.method === 'sms' ? <SmsCodeForm sent={step.sent} verify={verify} resend={resend} {...words} /> : null}
      {step.method === 'totp' ? (
        <AuthenticatorCodeForm verify={verify} recoveryOnly={step.recoveryOnly} {...words} />
      ) : null}
    </AuthCard>
  )
}
