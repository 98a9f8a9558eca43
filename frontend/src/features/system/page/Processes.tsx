import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { formatDateTime, formatNumber, formatRelative } from '@/i18n/format'
import type { SystemState } from '../api'
import { FactRow } from './FactRow'
import styles from './system.module.css'

export function Processes({ state: { processes, readAt } }: { state: SystemState }) {
  const { t } = useTranslation('system')
  const versions = new Set(processes.map(({ version, commit }) => `${version} ${commit}`))
  return (
    <SectionCard
      title={t('processes.title')}
      remark={formatNumber(processes.length)}
      aside={versions.size > 1 ? <StateBadge tone="warning">{t('processes.mixed')}</StateBadge> : null}
      kind="flush"
    >
      <ul className={styles.rows}>
        {processes.map(({ slot, version, commit, startedAt, seenAt, isSilent }) => (
          <FactRow
            key={slot}
            title={
              <>
                {t('processes.slot', { slot: formatNumber(slot) })}
                {isSilent ? (
                  <StateBadge tone="danger">{t('processes.silent')}</StateBadge>
                ) : (
                  <StateBadge tone="success">{t('processes.alive')}</StateBadge>
                )}
              </>
            }
            facts={[
              { name: t('processes.version'), value: version ? <bdi dir="ltr">{version}</bdi> : t('unknown') },
              { name: t('processes.commit'), value: commit ? <code dir="ltr">{commit}</code> : t('unknown') },
              { name: t('processes.started'), value: startedAt ? formatDateTime(startedAt) : t('unknown') },
              { name: t('processes.seen'), value: formatRelative(seenAt, readAt) },
            ]}
          />
        ))}
      </ul>
      {processes.length === 0 ? <p className={styles.note}>{t('processes.empty')}</p> : null}
    </SectionCard>
  )
}
