import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { ProgressBar } from '@/components/ProgressBar'
import { Term } from '@/components/Term'
import { formatBytes, formatDateTime } from '@/i18n/format'
import { post } from './api'
import { usePageState, type Verification } from './client-state'
import styles from './page.module.css'
import { PathList } from './PathList'
import { Failure } from './Failure'
import { useCall, useCodeText } from './use-call'

/** Checks every piece of every file, and says what was found. */
export function VerificationCard() {
  const { t } = useTranslation('client')
  const { spaces, verification } = usePageState()
  const { run, isPending, error } = useCall()
  const act = (action: 'start' | 'cancel') => void run(() => post('/verify-files', { action }))
  const size = spaces.reduce((sum, space) => sum + space.bytes, 0)
  const isRunning = verification?.state === 'running'
  return (
    <section className={`t-card ${styles.stack}`} aria-label={t('verification.title')}>
      <h2>{t('verification.title')}</h2>
      <p className="t-soft">
        <Term name="spare">{t('verification.text', { size: formatBytes(size) })}</Term>
      </p>
      {isRunning ? <Progress {...verification} /> : null}
      {verification && !isRunning ? <Outcome verification={verification} /> : null}
      <Failure text={error?.text} />
      <div className="t-line">
        {isRunning ? (
          <Button variant="outlined" disabled={isPending} onClick={() => act('cancel')}>
            {t('transfers.cancel')}
          </Button>
        ) : (
          <Button variant="outlined" pending={isPending} onClick={() => act('start')}>
            {t('verification.start')}
          </Button>
        )}
      </div>
    </section>
  )
}

function Progress({ done, size }: { done: number; size: number }) {
  const { t } = useTranslation('client')
  const value = size > 0 ? Math.round((done / size) * 100) : undefined
  return (
    <>
      <ProgressBar label={t('verification.progress')} value={value} />
      <span className="t-soft">{t('transfers.of', { done: formatBytes(done), size: formatBytes(size) })}</span>
    </>
  )
}

function Outcome({ verification }: { verification: Verification }) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const codeText = useCodeText()
  const { state, time, code, message, packs, degraded, affected, files } = verification
  if (state === 'cancelled') return <p role="status">{t('verification.cancelled')}</p>
  if (state === 'failed') {
    return (
      <p role="alert" className={styles.error}>
        {codeText({ code, message })}
      </p>
    )
  }
  const nameOf = (id: string) => spaces.find((space) => space.id === id)?.name ?? ''
  const found = packs === 0 ? t('verification.empty') : t('verification.intact')
  return (
    <div role="status" className={styles.stack}>
      {affected > 0 ? (
        <div className={styles.error}>
          <strong>{t('verification.affected', { count: affected })}</strong>
          <PathList paths={files.map((file) => `${nameOf(file.space)}: ${file.path}`)} more={affected - files.length} />
        </div>
      ) : (
        <strong>{degraded > 0 ? t('verification.degraded', { count: degraded }) : found}</strong>
      )}
      {time ? (
        <span className="t-soft">{t('verification.at', { time: formatDateTime(new Date(time).toISOString()) })}</span>
      ) : null}
    </div>
  )
}
