import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import type { User } from '@/api/session'
import { useFetch } from '@/hooks/use-fetch'
import { useSession } from '@/hooks/use-session'
import { getRelease } from './api'
import { AskLeader } from './download/AskLeader'
import styles from './download/download.module.css'
import { Installers } from './download/Installers'

export default function DownloadPage() {
  const session = useSession()
  if (session.status !== 'signedIn') return null
  return session.user.isSubscribed ? <Thanks user={session.user} /> : <AskLeader user={session.user} />
}

function Thanks({ user }: { user: User }) {
  const { t } = useTranslation('download')
  const { data, error, retry } = useFetch(getRelease, user.uuid)
  // It may have ended since this page was told that there is one.
  if (error instanceof ApiError && error.code === 'subscription_required') return <AskLeader user={user} />
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('title')}</h1>
      <p className={styles.lead}>{t('lead')}</p>
      <Installers release={data} error={error} onRetry={retry} />
      <p className={styles.note}>{t('note')}</p>
    </div>
  )
}
