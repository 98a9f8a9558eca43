import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatMonth } from '@/i18n/format'
import type { Usage, WaitingMember } from '../api'
import styles from './storage.module.css'

type Props = { usage: Usage; waiting: WaitingMember[] }

/** Who uploaded how much this month, and who has keys but no access to a space yet. */
export function MemberList({ usage, waiting }: Props) {
  const { t } = useTranslation('storage')
  const id = useId()
  const most = Math.max(1, ...usage.members.map(({ bytes }) => bytes))
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.cardHead}>
        <h2 className={styles.title} id={id}>
          {t('members.title')} <small>{formatMonth(usage.startsAt, 'long')}</small>
        </h2>
      </div>
      {usage.members.length + waiting.length === 0 ? <p className={styles.soft}>{t('members.none')}</p> : null}
      <ul className={styles.members}>
        {usage.members.map(({ uuid, name, bytes }) => (
          <li key={uuid}>
            <bdi>{name || t('members.removed')}</bdi>
            <span>{formatBytes(bytes)}</span>
            <span className={styles.meter} aria-hidden>
              <span style={{ inlineSize: `${(bytes / most) * 100}%` }} />
            </span>
          </li>
        ))}
        {waiting.map(({ uuid, name }) => (
          <li key={uuid}>
            <bdi>{name}</bdi>
            <span className={styles.chip} data-state="damaged">
              {t('members.waiting')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
