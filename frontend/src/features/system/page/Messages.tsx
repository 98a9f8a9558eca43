import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { formatRelative } from '@/i18n/format'
import type { SystemState } from '../api'
import { formatCount } from '../format'
import { FactRow } from './FactRow'
import styles from './system.module.css'

export function Messages({ state: { messages, countedUpTo, readAt } }: { state: SystemState }) {
  const { t } = useTranslation('system')
  return (
    <SectionCard title={t('messages.title')} kind="flush">
      <ul className={styles.rows}>
        {messages.map(({ channel, waiting, refused, lastRefusedAt }) => (
          <FactRow
            key={channel}
            title={t(`messages.${channel}`)}
            note={lastRefusedAt ? t('messages.lastRefused', { time: formatRelative(lastRefusedAt, readAt) }) : null}
            facts={[
              { name: t('messages.waiting'), value: formatCount(waiting, countedUpTo, t) },
              { name: t('messages.refused'), value: formatCount(refused, countedUpTo, t) },
            ]}
          />
        ))}
      </ul>
    </SectionCard>
  )
}
