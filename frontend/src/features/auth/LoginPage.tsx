import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AuthCard } from '@/components/AuthCard'
import { Button } from '@/components/Button'
import { SmsCodeForm } from '@/components/forms/SmsCodeForm'
import { AuthenticatorCodeForm } from './AuthenticatorCodeForm'
import { CredentialsForm } from './login/CredentialsForm'
import { useLogin } from './login/use-login'
import { PasskeyForm } from './PasskeyForm'

export default function LoginPage() {
  const { t } = useTranslation(['auth', 'errors'])
  const { phase, step, start, verify, verifyPasskey, resend, goBack, lockOf } = useLogin()
  if (step) {
    const words = {
      submitLabel: t('login.verify'),
      fallback: t('login.failed'),
      back: (
        <Button variant="text" size="large" onClick={goBack}>
          {t('login.goBack')}
        </Button>
      ),
    }
    if (step.method === 'passkey') {
      const passkeyWords = { ...words, submitLabel: t('passkey.use'), fallback: t('passkey.failed') }
      return (
        <AuthCard title={t('passkey.title')} text={t('login.codeText')}>
          <PasskeyForm verify={verifyPasskey} change={step.orCode ? resend : null} {...passkeyWords} />
        </AuthCard>
      )
    }
    return (
      <AuthCard title={t('login.codeTitle')} text={t('login.codeText')}>
        {step.method === 'sms' ? (
          <SmsCodeForm sent={step.sent} verify={verify} resend={resend} {...words} />
        ) : (
          <AuthenticatorCodeForm verify={verify} {...words} />
        )}
      </AuthCard>
    )
  }
  const footer = (
    <>
      {t('login.signUp')} <Link to="/signup">{t('login.signUpLink')}</Link>
    </>
  )
  return (
    <AuthCard title={t('login.title')} text={t('login.text')} footer={footer}>
      <CredentialsForm phase={phase} start={start} lockOf={lockOf} />
    </AuthCard>
  )
}
