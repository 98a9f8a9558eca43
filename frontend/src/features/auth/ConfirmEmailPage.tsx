import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { takeLinkToken } from '@/api/link-token'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { useSession } from '@/hooks/use-session'
import { ConfirmLink } from './confirm/ConfirmLink'
import { ConfirmSkeleton } from './confirm/ConfirmOutcome'

const path = '/confirm-email'

/**
 * The target of a mailed link that confirms an address. It also needs a login: the token is kept in
 * memory (see link-token.ts) until the login returns to this page. After a reload the link has to be
 * opened again.
 */
export default function ConfirmEmailPage() {
  const { t } = useTranslation('auth')
  const session = useSession()
  const [token] = useState(() => takeLinkToken(path))
  if (!token) {
    return <EmptyState heading="h1" art="lost" title={t('confirm.missing.title')} text={t('confirm.missing.text')} />
  }
  if (session.status === 'signedIn') return <ConfirmLink token={token} user={session.user} />
  if (session.status === 'checking') return <ConfirmSkeleton label={t('reset.checking')} />
  return (
    <EmptyState
      heading="h1"
      art="locked"
      title={t('confirm.guest.title')}
      text={t('confirm.guest.text')}
      actions={
        <LinkButton size="large" to="/login" state={{ from: path }}>
          {t('common:header.login')}
        </LinkButton>
      }
    />
  )
}
