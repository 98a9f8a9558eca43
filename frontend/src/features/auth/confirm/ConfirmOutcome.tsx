import { useTranslation } from 'react-i18next'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { homeOfUser } from '@/api/home'
import { sessionStore, type User } from '@/api/session'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { LtrValue } from '@/components/LtrValue'
import { Skeleton } from '@/components/Skeleton'
import styles from './confirm.module.css'

const outcomes: Record<string, string> = {
  link_expired: 'expired',
  link_used: 'used',
  link_unknown: 'unknown',
  link_of_another_account: 'otherAccount',
  address_in_use: 'inUse',
  invalid_input: 'unknown',
}

export function isLinkRefusal(error: ApiError): boolean {
  return error.code in outcomes
}

export function Confirmed({ address, user }: { address: string; user: User }) {
  const { t } = useTranslation('auth')
  const text = <LtrValue text="confirm.done.text" name="email" value={address} />
  return (
    <EmptyState heading="h1" art="done" title={t('confirm.done.title')} text={text} actions={<Home user={user} />} />
  )
}

/** Says what is wrong with the link; other errors can be retried. */
export function LinkRefused({ error, user, onRetry }: { error: unknown; user: User; onRetry: () => void }) {
  const { t } = useTranslation(['auth', 'errors'])
  const outcome = error instanceof ApiError ? outcomes[error.code] : undefined
  if (!outcome) return <ErrorState heading="h1" text={loadErrorMessage(error)} onRetry={onRetry} />
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
      actions={outcome === 'otherAccount' ? otherAccount : <Home user={user} />}
    />
  )
}

function Home({ user }: { user: User }) {
  const { t } = useTranslation('auth')
  return (
    <LinkButton size="large" to={homeOfUser(user)}>
      {t('common:header.goToApp')}
    </LinkButton>
  )
}

export function ConfirmSkeleton({ label }: { label: string }) {
  return (
    <div className={styles.narrow}>
      <Skeleton label={label} heights={[120, 28, 48]} />
    </div>
  )
}
