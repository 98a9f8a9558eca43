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
 * The link of a mail that confirms an address. It needs a login besides, and so the token waits in
 * memory (see link-token.ts) while one logs in: the same tab comes back here. A reload loses it, and
 * the mail has it still.
 */
export default function ConfirmEmailPage() {
  const { t } = useTranslation('auth')
  const session = useSession()
  const [token] = useState(() => takeLinkToken(path))
  if (!token) {
    return <EmptyState heading="h1" art="lost" title={t('confirm.missing.title')} text={t('confirm.missing.text')} />
  }
  if (session.status === 'signedIn') return <ConfirmLink token={token} user={session.user} />
  if (session.status === 'checking') return <ConfirmSkeleton label={t('confirm.change.loading')} />
  return (
    <EmptyState
      heading="h1"
      art="locked"
      title={t('confirm.guest.title')}
      text={t('confirm.guest.text')}
      actions={
        <LinkButton size="large" to="/login" state={{ from: path }}>
          {t('confirm.guest.login')}
        </LinkButton>
      }
    />
  )
}
