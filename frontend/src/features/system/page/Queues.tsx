import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { formatNumber, formatRelative } from '@/i18n/format'
import type { SystemState } from '../api'
import { formatCount, shortWorkflow } from '../format'
import { FactRow } from './FactRow'
import styles from './system.module.css'

export function Queues({ state: { queues, failedWorkflows, countedUpTo, readAt } }: { state: SystemState }) {
  const { t } = useTranslation('system')
  const busy = queues.filter(({ waiting, running }) => waiting + running > 0)
  const idle = queues.length - busy.length
  return (
    <SectionCard title={t('queues.title')} kind="flush">
      <ul className={styles.rows}>
        {busy.map((queue) => (
          <FactRow
            key={queue.name}
            title={<bdi dir="ltr">{queue.name}</bdi>}
            note={queue.oldest ? <code dir="ltr">{shortWorkflow(queue.oldest.workflow)}</code> : null}
            facts={[
              { name: t('queues.waiting'), value: formatCount(queue.waiting, countedUpTo, t) },
              { name: t('queues.running'), value: formatCount(queue.running, countedUpTo, t) },
              {
                name: t('queues.oldest'),
                value: queue.oldest ? formatRelative(queue.oldest.since, readAt) : t('none'),
              },
            ]}
          />
        ))}
      </ul>
      <p className={styles.note}>
        {busy.length === 0 ? t('queues.empty') : t('queues.idle', { count: idle, number: formatNumber(idle) })}
      </p>
      <p className={styles.note} data-wrong={failedWorkflows > 0}>
        {t('queues.failed', { count: failedWorkflows, number: formatCount(failedWorkflows, countedUpTo, t) })}
      </p>
    </SectionCard>
  )
}
