import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate } from 'react-router'
import { homeOfUser } from '@/api/home'
import { AuthCard } from '@/components/AuthCard'
import { useSession } from '@/hooks/use-session'
import { findClientLogin } from './company/client-login'
import { CompanyAddressForm } from './company/CompanyAddressForm'
import { CompanyAnswer } from './company/CompanyAnswer'
import { takeAnswer } from './company/returned'

/** Login with an account of the company: first the address, then what its provider sends the browser back with. Whoever
 *  is logged in here can still confirm a login of the client program. */
export default function CompanyLoginPage() {
  const { t } = useTranslation(['auth', 'errors'])
  const session = useSession()
  const [client] = useState(findClientLogin)
  const [answer, setAnswer] = useState(takeAnswer)
  if (!client && session.status === 'signedIn') return <Navigate to={homeOfUser(session.user)} replace />
  const footer = client ? null : <Link to="/login">{t('company.withPassword')}</Link>
  if (answer && answer !== 'refused') {
    return <CompanyAnswer returned={answer} client={client} footer={footer} onRestart={() => setAnswer(null)} />
  }
  return (
    <AuthCard title={t('company.title')} text={t(client ? 'company.client.lead' : 'company.text')} footer={footer}>
      <CompanyAddressForm refused={answer === 'refused'} email={client?.email} />
    </AuthCard>
  )
}
