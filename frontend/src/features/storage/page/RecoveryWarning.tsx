import { useTranslation } from 'react-i18next'
import { LtrValue } from '@/components/LtrValue'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { formatNumber } from '@/i18n/format'
import type { Health } from '../api'

/** Shown while spaces, or the recovery kit, still rely on recovery keys that were replaced. */
export function RecoveryWarning({ recovery }: { recovery: Health['recovery'] }) {
  const { t } = useTranslation('storage')
  const { spacesWithFormerPair: former, kitCounter, isKitCurrent } = recovery
  const hasFormerKit = kitCounter > 0 && !isKitCurrent
  if (former === 0 && !hasFormerKit) return null
  return (
    <SectionCard title={t('recovery.title')} aside={<StateBadge tone="warning">{t('recovery.state')}</StateBadge>}>
      {former > 0 ? (
        <p className="t-soft">{t('recovery.former', { count: former, number: formatNumber(former) })}</p>
      ) : null}
      {hasFormerKit ? <p className="t-soft">{t('recovery.kit')}</p> : null}
      <p className="t-soft">
        <LtrValue texts="storage" text="recovery.command" name="command" value="tess recovery-kit" />
      </p>
    </SectionCard>
  )
}
