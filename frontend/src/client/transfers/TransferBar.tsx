import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconButton } from '@/components/IconButton'
import { ProgressBar } from '@/components/ProgressBar'
import { PauseIcon } from '@/components/icons/PauseIcon'
import { ResumeIcon } from '@/components/icons/ResumeIcon'
import { formatBytes } from '@/i18n/format'
import { useStore } from '@/lib/create-store'
import { receivingStore } from '../files/upload'
import { post } from '../api'
import { usePageState } from '../client-state'
import styles from './TransferBar.module.css'
import { Name } from '../Name'

/** At the bottom of every page while something is on its way. */
export function TransferBar() {
  const { t } = useTranslation('client')
  const { transfers, isPaused } = usePageState()
  const receiving = useStore(receivingStore)
  const active = transfers.filter((item) => ['waiting', 'running', 'paused'].includes(item.state))
  if (active.length === 0 && receiving.total === 0) return null
  const size = active.reduce((sum, item) => sum + item.size, 0)
  const done = active.reduce((sum, item) => sum + item.done, 0)
  const current = active.find((item) => item.state === 'running') ?? active[0]
  return (
    <section className={`t-line ${styles.bar}`} aria-label={t('transfers.title')}>
      <div className={styles.words}>
        <strong>
          {receiving.total > 0
            ? t('transfers.receiving', { done: receiving.done, total: receiving.total })
            : t(isPaused ? 'transfers.paused' : 'transfers.active', { count: active.length })}
        </strong>
        {current ? <Name className="t-soft t-ellipsis">{current.path}</Name> : null}
      </div>
      <div className={styles.progress}>
        <ProgressBar label={t('transfers.total')} value={size > 0 ? Math.round((done / size) * 100) : 0} />
      </div>
      <span className="t-soft">{t('transfers.of', { done: formatBytes(done), size: formatBytes(size) })}</span>
      <IconButton
        label={t(isPaused ? 'transfers.resume' : 'transfers.pause')}
        onClick={() => void post('/transfers', { action: isPaused ? 'resume' : 'pause' })}
      >
        {isPaused ? <ResumeIcon /> : <PauseIcon />}
      </IconButton>
      <Link to="/transfers">{t('transfers.show')}</Link>
    </section>
  )
}
