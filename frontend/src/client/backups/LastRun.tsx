import { useTranslation } from 'react-i18next'
import { formatBytes, formatDateTime } from '@/i18n/format'
import type { Backup } from '../client-state'
import styles from '../page.module.css'
import { PathList } from '../PathList'
import { useCodeText } from '../use-call'

/** How a backup's last run ended and when it runs next, or that it runs now. */
export function LastRun({ backup }: { backup: Backup }) {
  const { t } = useTranslation('client')
  const next = backup.state ? null : backup.nextRun
  return (
    <>
      <Result backup={backup} />
      {next ? (
        <span className="t-soft">{t('backups.nextRun', { time: formatDateTime(new Date(next).toISOString()) })}</span>
      ) : null}
    </>
  )
}

function Result({ backup }: { backup: Backup }) {
  const { t } = useTranslation('client')
  const codeText = useCodeText()
  const last = backup.lastRun
  if (backup.state) {
    return (
      <span role="status" className="t-soft">
        {t(`transfers.state.${backup.state}`)}
      </span>
    )
  }
  if (!last) return <span className="t-soft">{t('backups.never')}</span>
  const time = formatDateTime(new Date(last.time).toISOString())
  if (last.code) {
    return (
      <>
        <span role="alert" className={styles.error}>
          {codeText(last)}
        </span>
        <span className="t-soft">{time}</span>
      </>
    )
  }
  const stored =
    last.stored > 0
      ? t('backups.stored', { count: last.stored, size: formatBytes(last.bytes) })
      : t('backups.unchanged')
  return (
    <>
      <span className="t-soft">
        {last.stored > 0 || last.failed === 0 ? `${stored} · ` : ''}
        {last.notSafe > 0 ? `${t('backups.notSafe', { count: last.notSafe })} · ` : ''}
        {time}
      </span>
      {last.failed > 0 ? (
        <details className={styles.error}>
          <summary>{t('backups.failed', { count: last.failed })}</summary>
          <PathList paths={last.problems} more={last.failed - last.problems.length} />
        </details>
      ) : null}
    </>
  )
}
