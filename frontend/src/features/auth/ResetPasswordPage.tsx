import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { causeOf } from '@/api/errors'
import { takeLinkToken } from '@/api/link-token'
import { ErrorState } from '@/components/ErrorState'
import { getResetLink } from './api/get-reset-link'
import { AuthCard } from './AuthCard'
import { ResetForm } from './reset/ResetForm'
import { ResetLinkNotice } from './reset/ResetLinkNotice'
import { Skeletons } from './Skeletons'
import { useLookup } from './use-lookup'

export default function ResetPasswordPage() {
  // Read once: the address bar has lost it, and another link may be opened later in this tab.
  const [token] = useState(() => takeLinkToken('/reset-password'))
  return token ? <WithLink token={token} /> : <ResetLinkNotice state="missing" />
}

function WithLink({ token }: { token: string }) {
  const { t } = useTranslation(['auth', 'errors'])
  const { data, error, retry } = useLookup(getResetLink, token)
  if (error) return <ErrorState heading="h1" text={causeOf(error)} onRetry={retry} />
  if (data && data.state !== 'open') return <ResetLinkNotice state={data.state} />
  return (
    <AuthCard title={t('reset.title')} text={t('reset.text')}>
      {data ? (
        <ResetForm token={token} ids={data.ids} />
      ) : (
        <Skeletons label={t('reset.checking')} heights={[176, 76, 64, 76, 48]} />
      )}
    </AuthCard>
  )
}
