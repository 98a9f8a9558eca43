import { useTranslation } from 'react-i18next'
import { LtrValue } from '@/components/LtrValue'
import { SectionCard } from '@/components/SectionCard'
import { formatNumber } from '@/i18n/format'
import type { Health } from '../api'
import styles from './storage.module.css'

/** Shown while spaces, or the recovery kit, still rely on recovery keys that were replaced. */
export function RecoveryWarning({ recovery }: { recovery: Health['recovery'] }) {
  const { t } = useTranslation('storage')
  const { spacesWithFormerPair: former, kitCounter, isKitCurrent } = recovery
  const hasFormerKit = kitCounter > 0 && !isKitCurrent
  if (former === 0 && !hasFormerKit) return null
  const chip = (
    <span className={styles.chip} data-state="damaged">
      {t('recovery.state')}
    </span>
  )
  return (
    <SectionCard title={t('recovery.title')} aside={chip}>
      {former > 0 ? (
        <p className={styles.soft}>{t('recovery.former', { count: former, number: formatNumber(former) })}</p>
      ) : null}
      {hasFormerKit ? <p className={styles.soft}>{t('recovery.kit')}</p> : null}
      <p className={styles.soft}>
        <LtrValue texts="storage" text="recovery.command" name="command" value="tess recovery-kit" />
      </p>
    </SectionCard>
  )
}
