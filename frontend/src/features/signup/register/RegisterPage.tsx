import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { takeLinkToken } from '@/api/link-token'
import { AuthCard } from '@/components/AuthCard'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { Toasts } from '@/components/Toasts'
import { useFetch } from '@/hooks/use-fetch'
import { getInvite } from '../api'
import { InviteNotice } from './InviteNotice'
import { RegisterForm } from './RegisterForm'

export default function RegisterPage() {
  // Read once: the address bar has lost it, and another link may be opened later in this tab.
  const [token] = useState(() => takeLinkToken('/register'))
  return token ? <WithLink token={token} /> : <InviteNotice state="none" />
}

function WithLink({ token }: { token: string }) {
  const { t } = useTranslation(['register', 'signup', 'auth', 'errors'])
  const { data, error, retry } = useFetch(getInvite, token)
  if (error) return <ErrorState heading="h1" text={loadErrorMessage(error)} onRetry={retry} />
  if (data?.state === 'unknown') return <InviteNotice state="unknown" />
  if (data && data.state !== 'open') {
    return (
      <>
        <InviteNotice state={data.state} invite={data} token={token} />
        <Toasts />
      </>
    )
  }
  return (
    <AuthCard title={t('title')} text={data ? t('text', { company: data.companyName }) : undefined}>
      {data ? (
        <RegisterForm token={token} invite={data} />
      ) : (
        <Skeleton label={t('checking')} heights={[56, 76, 76, 76, 76, 48]} />
      )}
    </AuthCard>
  )
}
