import { useTranslation } from 'react-i18next'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { homeOfUser } from '@/api/home'
import { sessionStore, type User } from '@/api/session'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { LtrValue } from '@/components/LtrValue'
import { useFetch } from '@/hooks/use-fetch'
import { confirmEmail, forgetConfirmation } from '../api/confirm-email'
import { ConfirmSkeleton } from './ConfirmSkeleton'

const outcomes: Record<string, string> = {
  link_expired: 'expired',
  link_used: 'used',
  link_unknown: 'unknown',
  link_of_another_account: 'otherAccount',
  address_in_use: 'inUse',
  invalid_input: 'unknown',
}

/** Sends the token, and says what became of it. */
export function ConfirmOutcome({ token, user }: { token: string; user: User }) {
  const { t } = useTranslation(['auth', 'errors'])
  const { data: address, error, retry } = useFetch(confirmEmail, token)
  const home = (
    <LinkButton size="large" to={homeOfUser(user)}>
      {t('confirm.home')}
    </LinkButton>
  )
  if (address) {
    const text = <LtrValue text="confirm.done.text" name="email" value={address} />
    return <EmptyState heading="h1" art="done" title={t('confirm.done.title')} text={text} actions={home} />
  }
  if (!error) return <ConfirmSkeleton />
  const outcome = error instanceof ApiError ? outcomes[error.code] : undefined
  if (!outcome) {
    const again = () => {
      forgetConfirmation(token)
      retry()
    }
    return <ErrorState heading="h1" text={loadErrorMessage(error)} onRetry={again} />
  }
  const otherAccount = (
    <Button size="large" onClick={() => sessionStore.signOut('loggedOut')}>
      {t('confirm.otherAccount.logout')}
    </Button>
  )
  return (
    <EmptyState
      heading="h1"
      art={outcome === 'unknown' ? 'lost' : 'locked'}
      title={t(`confirm.${outcome}.title`)}
      text={t(`confirm.${outcome}.text`)}
      actions={outcome === 'otherAccount' ? otherAccount : home}
    />
  )
}
