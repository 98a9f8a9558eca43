import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { PageHeader } from '@/components/PageHeader'
import { Term } from '@/components/Term'
import { formatDateTime } from '@/i18n/format'
import styles from './page.module.css'
import { post } from './api'
import { usePageState } from './client-state'
import { Failure } from './Failure'
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
        sub={<Term name="piece">{t('health.sub')}</Term>}
        actions={
          <Button variant="outlined" pending={isPending} onClick={() => void run(() => post('/refresh'))}>
            {t('health.check')}
          </Button>
        }
      />
      <Failure text={error?.text} />
      {notes.length > 0 ? (
        <section className="t-card">
          <h2>{t('health.notes')}</h2>
          <p className="t-soft">{t('health.notesText')}</p>
          <ul className="t-list">
            {notes.map((note) => (
              <li key={note} className="t-ends">
                <bdi className={styles.main}>{note}</bdi>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {health ? (
        <>
          <section className="t-card">
            <h2>{t(summaryOf(health, failed))}</h2>
            <p className="t-soft">
              <Term name="pack">{t('health.packs', { count: health.packs })}</Term>
              {health.degraded > 0 ? ` ${t('health.degraded', { count: health.degraded })}` : ''}
              {health.notSafe > 0 ? ` ${t('health.notSafe', { count: health.notSafe })}` : ''}
              {health.lost > 0 ? ` ${t('health.lost', { count: health.lost })}` : ''}
            </p>
          </section>
          <ul className="t-list">
            {clouds.map((cloud) => (
              <li key={cloud.id} className="t-ends">
                <span className={styles.main}>
                  <strong>
                    <Name>{cloud.name}</Name>
                  </strong>
                  <span className="t-soft">
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
