import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { AuthCard } from '@/components/AuthCard'
import { LtrValue } from '@/components/LtrValue'
import { toast } from '@/components/toast'
import { keyring } from '@/crypto/keyring'
import { endSession } from '../api'
import { CredentialsForm } from '../login/CredentialsForm'
import { useLogin } from '../login/use-login'
import { linkCompanyAccount, startCompanyLogin } from './api'

const SecondStep = lazy(() => import('../login/SecondStep'))

type Props = { address: string; forClient: boolean; footer: ReactNode }

/** The first time: password and code show that the account and the company account are the same person's. For a login
 *  of the client program the browser's session ends again, and the provider is asked once more. */
export function LinkForm({ address, forClient, footer }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const login = useLogin(async (token) => {
    try {
      await linkCompanyAccount(token)
      toast.success(t('company.linked'))
    } catch (error) {
      toast.error(errorMessage(error, t('company.linkFailed')))
      return true
    }
    if (!forClient) return true
    await endSession(token).catch(() => undefined)
    keyring.lock()
    window.location.assign(await startCompanyLogin(address))
    return false
  })
  const { phase, step, start, lockOf } = login
  if (step) {
    return (
      <Suspense fallback={null}>
        <SecondStep step={step} login={login} />
      </Suspense>
    )
  }
  return (
    <AuthCard
      title={t('company.linkTitle')}
      text={<LtrValue text="company.linkText" name="email" value={address} />}
      footer={footer}
    >
      <CredentialsForm phase={phase} start={start} lockOf={lockOf} email={address} />
    </AuthCard>
  )
}
