import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { Term } from '@/components/Term'
import { formatBytes, formatDate, formatMonth, formatNumber } from '@/i18n/format'
import type { Health, Repair, Usage } from '../api'
import styles from './storage.module.css'

/** A bar of tiles, filled to a percentage. The numbers beside it say the same. */
function Tiles({ part, kind }: { part: number; kind?: 'health' }) {
  return (
    <div className={styles.tiles} data-kind={kind} aria-hidden>
      <span style={{ inlineSize: `${part}%` }} />
    </div>
  )
}

const tones = { safe: 'success', damaged: 'warning', lost: 'danger' } as const

const percent = (part: number, whole: number) => (whole > 0 ? Math.min(100, (part / whole) * 100) : 0)

export function UploadedCard({ usage }: { usage: Usage }) {
  const { t } = useTranslation('storage')
  const used = usage.used + usage.reserved
  return (
    <SectionCard kind="muted" title={t('uploaded.title', { month: formatMonth(usage.startsAt, 'long') })}>
      <p className={styles.figure}>
        <b>{formatBytes(used)}</b> {t('uploaded.of', { quota: formatBytes(usage.quota) })}
      </p>
      <Tiles part={percent(used, usage.quota)} />
      <p className={`t-ends t-soft ${styles.foot}`}>
        <span>
          <b>{formatBytes(usage.left)}</b> {t('uploaded.left')}
        </span>
        <span>{t('uploaded.renews', { date: formatDate(usage.renewsAt, 'medium') })}</span>
      </p>
    </SectionCard>
  )
}

export function StoredCard({ usage }: { usage: Usage }) {
  const { t } = useTranslation('storage')
  const spare = Math.max(0, usage.storedCoded - usage.stored)
  const aside = (
    <span className="t-soft">
      {t('stored.inClouds', {
        count: usage.warehouses.length,
        number: formatNumber(usage.warehouses.length),
        bytes: formatBytes(usage.storedCoded),
      })}
    </span>
  )
  return (
    <SectionCard kind="muted" title={t('stored.title')} aside={aside}>
      <p className={styles.figure}>
        <b>{formatBytes(usage.stored)}</b> {t('stored.ofFiles')}
      </p>
      <div className={styles.split} aria-hidden>
        <span style={{ flexBasis: `${percent(usage.stored, usage.storedCoded)}%` }} />
        <span />
      </div>
      <p className={`t-ends t-soft ${styles.foot}`}>
        <span data-key="files">{t('stored.files', { bytes: formatBytes(usage.stored) })}</span>
        <span data-key="spare">
          <Term name="spare">{t('stored.spare', { bytes: formatBytes(spare) })}</Term>
        </span>
      </p>
    </SectionCard>
  )
}

/** How safe the files are: what a repair has done, or that every pack survives the loss of a warehouse. */
export function HealthCard({ health, repair }: { health: Health; repair: Repair | undefined }) {
  const { t } = useTranslation('storage')
  const running = repair && !repair.finishedAt ? repair : null
  const atRisk = health.notSafe + health.lost
  const damaged = atRisk + health.degraded
  const state = health.lost > 0 ? 'lost' : damaged > 0 ? 'damaged' : 'safe'
  const part = running ? percent(running.repaired, running.packs) : percent(health.packs - damaged, health.packs)
  return (
    <SectionCard
      kind="muted"
      title={t(running ? 'health.repair' : 'health.title')}
      aside={
        <StateBadge tone={running ? 'warning' : tones[state]}>
          {t(running ? 'health.running' : `health.state.${state}`)}
        </StateBadge>
      }
    >
      <p className={styles.figure}>
        <b>{formatNumber(running ? running.repaired : health.packs - damaged)}</b>{' '}
        <Term name="pack">
          {running
            ? t('health.ofPacks', { number: formatNumber(running.packs) })
            : t('health.complete', { number: formatNumber(health.packs), count: health.packs })}
        </Term>
      </p>
      <Tiles part={part} kind="health" />
      <p className={`t-ends t-soft ${styles.foot}`}>
        {health.lost > 0 ? (
          <span data-danger>{t('health.lost', { count: health.lost, number: formatNumber(health.lost) })}</span>
        ) : (
          <span>{t('health.atRisk', { count: atRisk, number: formatNumber(atRisk) })}</span>
        )}
        {running && running.failed > 0 ? (
          <span>{t('health.failed', { count: running.failed, number: formatNumber(running.failed) })}</span>
        ) : null}
      </p>
    </SectionCard>
  )
}
