import { useTranslation } from 'react-i18next'
import { LtrValue } from '@/components/LtrValue'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { formatNumber } from '@/i18n/format'
import type { Restore } from '../api'

/** Shown from a restore of the service's database until the leader's client closes it. */
export function ServiceRestore({ restore }: { restore: Restore }) {
  const { t } = useTranslation('storage')
  if (!restore.beganAt || restore.closedAt) return null
  const waiting = restore.waiting.length
  const isReady = restore.readAt !== null && waiting === 0
  return (
    <SectionCard
      title={t('restore.title')}
      aside={<StateBadge tone="warning">{t(isReady ? 'restore.ready' : 'restore.running')}</StateBadge>}
    >
      <p className="t-soft">{t('restore.text')}</p>
      <p className="t-soft">
        {t('restore.entries', { count: restore.entries, number: formatNumber(restore.entries) })}
      </p>
      {restore.readAt === null ? <p className="t-soft">{t('restore.reading')}</p> : null}
      {waiting > 0 ? (
        <>
          <p className="t-soft">{t('restore.waiting', { count: waiting, number: formatNumber(waiting) })}</p>
          <p className="t-soft">
            <LtrValue texts="storage" text="restore.giveUp" name="command" value="tess give-up SPACE" />
          </p>
        </>
      ) : null}
      <p className="t-soft">
        <LtrValue texts="storage" text="restore.command" name="command" value="tess reopen" />
      </p>
    </SectionCard>
  )
}
