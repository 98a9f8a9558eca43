import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProgressBar } from '@/components/ProgressBar'
import { formatNumber } from '@/i18n/format'
import { inviteProgress } from '../api'
import styles from './dialog.module.css'

/** The mails leave one after the other, whether or not anybody watches. */
export function MailProgress() {
  const { t } = useTranslation('invites')
  const { data } = useQuery(inviteProgress)
  const { total = 0, sent = 0, failed = 0 } = data ?? {}
  const done = total === 0 ? 0 : Math.round(((sent + failed) / total) * 100)
  const numbers = { sent: formatNumber(sent), total: formatNumber(total) }
  return (
    <div className={styles.progress}>
      <ProgressBar label={t('results.mails')} value={data ? done : undefined} />
      <p>
        {data ? t('results.progress', numbers) : t('results.mails')}
        {failed > 0 ? ` ${t('results.failed', { count: failed })}` : ''}
      </p>
    </div>
  )
}
