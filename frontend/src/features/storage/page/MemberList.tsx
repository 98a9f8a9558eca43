import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { formatBytes, formatMonth } from '@/i18n/format'
import type { Usage, WaitingMember } from '../api'
import styles from './storage.module.css'

type Props = { usage: Usage; waiting: WaitingMember[] }

/** Who uploaded how much this month, and who has keys but no access to a space yet. */
export function MemberList({ usage, waiting }: Props) {
  const { t } = useTranslation('storage')
  const most = Math.max(1, ...usage.members.map(({ bytes }) => bytes))
  return (
    <SectionCard title={t('members.title')} remark={formatMonth(usage.startsAt, 'long')}>
      {usage.reserved > 0 ? <p className="t-soft">{t('members.share', { bytes: formatBytes(usage.share) })}</p> : null}
      {usage.members.length + waiting.length === 0 ? <p className="t-soft">{t('members.none')}</p> : null}
      <ul className="t-grid">
        {usage.members.map(({ uuid, name, bytes, reserved }) => (
          <li key={uuid} className="t-ends">
            <bdi>{name || t('members.removed')}</bdi>
            <span>
              {formatBytes(bytes)}
              {reserved > 0 ? (
                <span className="t-soft"> {t('members.underWay', { bytes: formatBytes(reserved) })}</span>
              ) : null}
            </span>
            <span className={styles.meter} aria-hidden>
              <span style={{ inlineSize: `${(bytes / most) * 100}%` }} />
            </span>
          </li>
        ))}
        {waiting.map(({ uuid, name }) => (
          <li key={uuid} className="t-ends">
            <bdi>{name}</bdi>
            <StateBadge tone="warning">{t('members.waiting')}</StateBadge>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
