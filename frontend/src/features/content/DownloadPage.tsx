import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ApiError } from '@/api/errors'
import type { User } from '@/api/session'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { useFetch } from '@/hooks/use-fetch'
import { useSession } from '@/hooks/use-session'
import { getContact, getRelease } from './api'
import styles from './download/download.module.css'
import { Installers } from './download/Installers'
import { OverdueBackups } from './download/OverdueBackups'
import page from './page.module.css'

const BUILD_POLL_MS = 2_000

export default function DownloadPage() {
  const session = useSession()
  if (session.status !== 'signedIn') return null
  return session.user.isSubscribed ? <Thanks user={session.user} /> : <AskLeader user={session.user} />
}

function Thanks({ user }: { user: User }) {
  const { t } = useTranslation('download')
  const { data, error, retry, refresh } = useFetch(getRelease, user.uuid)
  useEffect(() => {
    if (!data?.building) return
    const timer = window.setTimeout(refresh, BUILD_POLL_MS)
    return () => window.clearTimeout(timer)
  }, [data, refresh])
  // The subscription may have ended since the user was loaded.
  if (error instanceof ApiError && error.code === 'subscription_required') return <AskLeader user={user} />
  return (
    <div className={`${page.page} ${styles.page}`}>
      <h1 className={page.title}>{t('title')}</h1>
      <p className={page.lead}>{t('lead')}</p>
      <OverdueBackups user={user} />
      <Installers release={data} error={error} email={user.email_address} onRetry={retry} />
      <p className="t-soft">
        {t('note')} {t('scripts')} <Link to="/api">{t('common:screens.api')}</Link>.
      </p>
    </div>
  )
}

/** A team member whose company has no subscription: no files, and whom to ask. */
function AskLeader({ user }: { user: User }) {
  const { t } = useTranslation('download')
  const { data: leader } = useFetch(getContact, user.uuid)
  const company = user.companyName
  const mail = leader
    ? `mailto:${leader.emailAddress}?${new URLSearchParams({ subject: t('ask.subject', { company }) }).toString().replaceAll('+', '%20')}`
    : ''
  return (
    <EmptyState
      heading="h1"
      art="locked"
      // Isolated: its text direction may differ.
      title={t('ask.title', { company: `\u2068${company}\u2069` })}
      text={
        <>
          {t('ask.text')}{' '}
          {leader ? (
            <>
              {t('ask.leader')} <bdi>{leader.name}</bdi> (<bdi dir="ltr">{leader.emailAddress}</bdi>).
            </>
          ) : (
            t('ask.someone')
          )}
        </>
      }
      actions={
        leader && (
          <LinkButton size="large" href={mail}>
            {t('ask.write')}
          </LinkButton>
        )
      }
    />
  )
}
