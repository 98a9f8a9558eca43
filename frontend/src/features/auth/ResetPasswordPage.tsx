import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { takeLinkToken } from '@/api/link-token'
import { AuthCard } from '@/components/AuthCard'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { useFetch } from '@/hooks/use-fetch'
import { getResetLink } from './api'
import { ResetForm } from './reset/ResetForm'

export default function ResetPasswordPage() {
  // Read once: it is no longer in the URL, and another link may be opened later in this tab.
  const [token] = useState(() => takeLinkToken('/reset-password'))
  return token ? <WithLink token={token} /> : <ResetLinkNotice state="missing" />
}

function WithLink({ token }: { token: string }) {
  const { t } = useTranslation(['auth', 'errors'])
  const { data, error, retry } = useFetch(getResetLink, token)
  if (error) return <ErrorState heading="h1" text={loadErrorMessage(error)} onRetry={retry} />
  if (data && data.state !== 'open') return <ResetLinkNotice state={data.state} />
  return (
    <AuthCard title={t('reset.title')} text={t('reset.text')}>
      {data ? (
        <ResetForm token={token} ids={data.ids} ssoRequired={data.ssoRequired} />
      ) : (
        <Skeleton label={t('reset.checking')} heights={[176, 76, 64, 76, 48]} />
      )}
    </AuthCard>
  )
}

type Props = { state: 'expired' | 'used' | 'unknown' | 'missing' }

/** A link that cannot be used, why, and what to do instead. */
function ResetLinkNotice({ state }: Props) {
  const { t } = useTranslation('auth')
  // The password has been changed already, so offer the login.
  const [first, second] = state === 'used' ? (['outlined', 'primary'] as const) : (['primary', 'outlined'] as const)
  return (
    <EmptyState
      heading="h1"
      art={state === 'unknown' ? 'lost' : 'locked'}
      title={t(`confirm.${state}.title`)}
      text={t(`reset.${state}`)}
      actions={
        <>
          <LinkButton to="/forgot-password" size="large" variant={first}>
            {t('reset.newLink')}
          </LinkButton>
          <LinkButton to="/login" size="large" variant={second}>
            {t('forgot.back')}
          </LinkButton>
        </>
      }
    />
  )
}
