import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AuthCard } from '@/components/AuthCard'
import { Line } from '@/components/forms/layout'
import { CredentialsForm } from './login/CredentialsForm'
import { useLogin } from './login/use-login'

const SecondStep = lazy(() => import('./login/SecondStep'))

export default function LoginPage() {
  const { t } = useTranslation(['auth', 'errors'])
  const login = useLogin()
  const { phase, step, start, lockOf } = login
  if (step) {
    return (
      <Suspense fallback={null}>
        <SecondStep step={step} login={login} />
      </Suspense>
    )
  }
  const footer = (
    <>
      {t('login.signUp')} <Link to="/signup">{t('login.signUpLink')}</Link>
    </>
  )
  return (
    <AuthCard title={t('common:screens.login')} text={t('login.text')} footer={footer}>
      <CredentialsForm phase={phase} start={start} lockOf={lockOf} />
      <Line>
        <Link to="/login/company">{t('company.use')}</Link>
      </Line>
    </AuthCard>
  )
}
