import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { formatBytes, formatDateTime, formatNumber, formatRelative } from '@/i18n/format'
import type { SystemState } from '../api'
import { DAY_MS, elapsed } from '../format'
import styles from './system.module.css'

/** A replica that follows is behind for milliseconds. Lists are read from the primary long before this. */
const BEHIND_SECONDS = 10

export function DatabaseState({ state: { replica, lastBackupAt, readAt } }: { state: SystemState }) {
  const { t } = useTranslation('system')
  const isBackupOld = lastBackupAt !== null && elapsed(lastBackupAt, readAt) > DAY_MS
  return (
    <SectionCard title={t('database.title')} kind="flush">
      <dl className={styles.sentences}>
        <div data-wrong={replica !== null && isWrong(replica)}>
          <dt>{t('database.replica')}</dt>
          <dd>{replica ? replicaText(replica, t) : t('database.noReplica')}</dd>
        </div>
        <div data-wrong={isBackupOld}>
          <dt>{t('database.backup')}</dt>
          <dd>
            {lastBackupAt ? (
              t('database.backupAt', { age: formatRelative(lastBackupAt, readAt), date: formatDateTime(lastBackupAt) })
            ) : (
              <>
                {t('database.noBackup')} <code dir="ltr">tessera backup finished</code>
              </>
            )}
          </dd>
        </div>
      </dl>
    </SectionCard>
  )
}

type Replica = NonNullable<SystemState['replica']>

function isWrong(replica: Replica): boolean {
  const { state, behindSeconds } = replica
  return state !== 'following' || hasNoTime(replica) || (behindSeconds ?? 0) > BEHIND_SECONDS
}

/** It has replayed no change since it started: it receives nothing, or only just began. */
function hasNoTime({ behindBytes, behindSeconds }: Replica): boolean {
  return behindSeconds === null && (behindBytes ?? 0) > 0
}

function replicaText(replica: Replica, t: TFunction<'system'>): string {
  const { state, behindBytes, behindSeconds } = replica
  if (state !== 'following') return t(`database.states.${state}`)
  if (!behindBytes) return t('database.states.following')
  if (hasNoTime(replica)) return t('database.nothingReplayed', { bytes: formatBytes(behindBytes) })
  return t('database.behind', {
    seconds: formatNumber(behindSeconds ?? 0, { maximumFractionDigits: 1 }),
    bytes: formatBytes(behindBytes),
  })
}
