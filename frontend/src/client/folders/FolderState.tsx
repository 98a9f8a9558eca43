import { useTranslation } from 'react-i18next'
import { StateBadge } from '@/components/StateBadge'
import { formatDateTime } from '@/i18n/format'
import type { ConnectedFolder } from '../client-state'
import styles from '../page.module.css'
import { useCodeText } from '../use-call'

const TONES = {
  starting: 'muted',
  current: 'success',
  waiting: 'muted',
  conflict: 'warning',
  offline: 'warning',
  paused: 'muted',
  stopped: 'muted',
  failed: 'danger',
} as const

/** How a connected folder is doing, in words. */
export function FolderState({ row }: { row: ConnectedFolder }) {
  const { t } = useTranslation('client')
  const codeText = useCodeText()
  const { state, waiting, conflicts, problem, at } = row
  const isCounted = state === 'waiting' && waiting > 0
  const remarks = [
    waiting > 0 && !isCounted ? t('folders.waiting', { count: waiting }) : '',
    conflicts > 0 && state !== 'conflict' ? t('folders.conflicts', { count: conflicts }) : '',
    at ? formatDateTime(at) : '',
  ].filter(Boolean)
  return (
    <>
      <span role="status" className="t-line">
        <StateBadge tone={TONES[state]}>
          {isCounted
            ? t('folders.waiting', { count: waiting })
            : state === 'conflict'
              ? t('folders.conflicts', { count: conflicts })
              : t(`folders.state.${state}`)}
        </StateBadge>
        <span className="t-soft">{remarks.join(' · ')}</span>
      </span>
      {problem ? (
        <span role={state === 'failed' ? 'alert' : undefined} className={state === 'failed' ? styles.error : 't-soft'}>
          {codeText(problem)}
        </span>
      ) : null}
    </>
  )
}
