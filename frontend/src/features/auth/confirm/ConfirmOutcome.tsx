import { useTranslation } from 'react-i18next'
import { api, dataOf } from '@/api/client'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { homeOfUser } from '@/api/home'
import { onSignOut, sessionStore, type User } from '@/api/session'
import { toUser } from '@/api/user'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import styles from '@/components/forms/form.module.css'
import { LtrValue } from '@/components/LtrValue'
import { Skeleton } from '@/components/Skeleton'
import { useFetch } from '@/hooks/use-fetch'

const asked = new Map<string, Promise<string>>()

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

/** Answers the confirmed address. A link serves once, so it is sent once, however often the page is rendered;
 *  another account may send it again. */
function confirmEmail(token: string): Promise<string> {
  const running = asked.get(token) ?? send(token)
  asked.set(token, running)
  return running
}

async function send(token: string): Promise<string> {
  const user = toUser(await dataOf(api.POST('/api/auth/confirm-email', { body: { token } })))
  sessionStore.updateUser(user)
  return user.email_address
}

/** Before a retry: the server may never have heard of the first try. */
function forgetConfirmation(token: string): void {
  asked.delete(token)
}

onSignOut(() => asked.clear())

export function ConfirmSkeleton() {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.narrow}>
      <Skeleton label={t('confirm.pending')} heights={[120, 28, 48]} />
    </div>
  )
}
