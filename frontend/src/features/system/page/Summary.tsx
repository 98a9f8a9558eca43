import { useTranslation } from 'react-i18next'
import { formatRelative } from '@/i18n/format'
import type { SystemState } from '../api'
import { formatCount } from '../format'
import { oldestOf } from '../oldest'
import styles from './system.module.css'

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

/** The four numbers that say whether something is wrong. */
export function Summary({ state }: { state: SystemState }) {
  const { t } = useTranslation('system')
  const oldest = oldestOf(state.queues)
  const failing = sum(state.failingClouds.map(({ warehouses }) => warehouses))
  const refused = sum(state.messages.map((message) => message.refused))
  const figures = [
    { name: 'waiting', value: formatCount(sum(state.queues.map(({ waiting }) => waiting)), state.countedUpTo, t) },
    { name: 'oldest', value: oldest ? formatRelative(oldest.since, state.readAt) : t('none') },
    { name: 'failing', value: formatCount(failing, state.countedUpTo, t), wrong: failing > 0 },
    { name: 'refused', value: formatCount(refused, state.countedUpTo, t), wrong: refused > 0 },
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map((figure) => (
        <div key={figure.name} className={styles.figure} data-wrong={'wrong' in figure && figure.wrong}>
          <dt>{t(`summary.${figure.name}`)}</dt>
          <dd>{figure.value}</dd>
        </div>
      ))}
    </dl>
  )
}
