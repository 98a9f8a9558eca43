import { useTranslation } from 'react-i18next'
import { LtrValue } from '@/components/LtrValue'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { formatNumber } from '@/i18n/format'
import type { Health } from '../api'

/** Shown while spaces or the recovery kit rely on replaced recovery keys, or nobody is known to have the kit. */
export function RecoveryWarning({ recovery }: { recovery: Health['recovery'] }) {
  const { t } = useTranslation('storage')
  const { spacesWithFormerPair: former, kitCounter, isKitCurrent, isKitConfirmed } = recovery
  const hasFormerKit = kitCounter > 0 && !isKitCurrent
  const isFormer = former > 0 || hasFormerKit
  if (!isFormer && (kitCounter === 0 || isKitConfirmed)) return null
  return (
    <SectionCard title={t('recovery.title')} aside={<StateBadge tone="warning">{t('recovery.state')}</StateBadge>}>
      {former > 0 ? (
        <p className="t-soft">{t('recovery.former', { count: former, number: formatNumber(former) })}</p>
      ) : null}
      {hasFormerKit ? <p className="t-soft">{t('recovery.kit')}</p> : null}
      {isFormer ? null : <p className="t-soft">{t('recovery.unconfirmed')}</p>}
      <p className="t-soft">
        <LtrValue
          texts="storage"
          text={isFormer ? 'recovery.command' : 'recovery.confirm'}
          name="command"
          value={isFormer ? 'tess recovery-kit --to kit.html' : 'tess recovery-kit --confirm'}
        />
      </p>
    </SectionCard>
  )
}
