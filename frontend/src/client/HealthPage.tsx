import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { PageHeader } from '@/components/PageHeader'
import { formatDateTime } from '@/i18n/format'
import styles from './page.module.css'
import { post } from './api'
import { usePageState } from './client-state'
import { useCall } from './use-call'
import { VerificationCard } from './VerificationCard'
import { Name } from './Name'

/** Whether a cloud can be lost right now, and how each of them is. */
export default function HealthPage() {
  const { t } = useTranslation('client')
  const { health, notes } = usePageState()
  const { run, isPending, error } = useCall()
  const clouds = health?.warehouses.filter((item) => item.isPlaced || item.shards > 0) ?? []
  const failed = clouds.filter((item) => item.status === 0).length
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('health.title')}
        sub={t('health.sub')}
        actions={
          <Button variant="outlined" pending={isPending} onClick={() => void run(() => post('/refresh'))}>
            {t('health.check')}
          </Button>
        }
      />
      {error ? (
        <p role="alert" className={styles.error}>
          {error.text}
        </p>
      ) : null}
      {notes.length > 0 ? (
        <section className={styles.card}>
          <h2 className={styles.heading}>{t('health.notes')}</h2>
          <p className={styles.text}>{t('health.notesText')}</p>
          <ul className={styles.rows}>
            {notes.map((note) => (
              <li key={note} className={styles.row}>
                <bdi className={styles.main}>{note}</bdi>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {health ? (
        <>
          <section className={styles.card}>
            <h2 className={styles.heading}>{t(summaryOf(health, failed))}</h2>
            <p className={styles.text}>
              {t('health.packs', { count: health.packs })}
              {health.degraded > 0 ? ` ${t('health.degraded', { count: health.degraded })}` : ''}
              {health.notSafe > 0 ? ` ${t('health.notSafe', { count: health.notSafe })}` : ''}
              {health.lost > 0 ? ` ${t('health.lost', { count: health.lost })}` : ''}
            </p>
          </section>
          <ul className={`${styles.rows} ${styles.card}`}>
            {clouds.map((cloud) => (
              <li key={cloud.id} className={styles.row}>
                <span className={styles.main}>
                  <strong>
                    <Name>{cloud.name}</Name>
                  </strong>
                  <span className={styles.note}>
                    {t('pieces.count', { count: cloud.shards })}
                    {cloud.missing > 0 ? ` · ${t('health.missing', { count: cloud.missing })}` : ''}
                    {cloud.lastCheck ? ` · ${t('health.checked', { time: formatDateTime(cloud.lastCheck) })}` : ''}
                  </span>
                </span>
                <span>{t(`health.status.${cloud.status}`)}</span>
              </li>
            ))}
          </ul>
          <VerificationCard />
        </>
      ) : null}
    </div>
  )
}

function summaryOf(health: { lost: number; degraded: number; notSafe: number; packs: number }, failed: number): string {
  if (health.lost > 0) return 'health.summary.lost'
  if (health.notSafe > 0 || health.degraded > 0 || failed > 0) return 'health.summary.degraded'
  return health.packs === 0 ? 'health.summary.nothing' : 'health.summary.safe'
}
