import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { formatTime } from '@/i18n/format'
import { post } from '../api'
import { usePageState, type Backup } from '../client-state'
import { FirstSpace } from '../files/FirstSpace'
import styles from '../page.module.css'
import { Failure } from '../Failure'
import { useCall, useCodeText } from '../use-call'
import { AddBackupDialog, EditBackupDialog, PreviewDialog, RemoveBackupDialog } from './BackupDialogs'
import { LastRun } from './LastRun'
import { Name } from '../Name'

type Question = 'preview' | 'edit' | 'remove'

/** The folders of this computer that are backed up, and how their last runs ended. */
export default function BackupsPage() {
  const { t } = useTranslation('client')
  const { backups, spaces } = usePageState()
  const codeText = useCodeText()
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<{ id: string; question: Question } | null>(null)
  const { run, isPending, error } = useCall()
  if (spaces.length === 0) return <FirstSpace />
  const rows = backups?.rows ?? []
  const chosen = rows.find((row) => row.id === asked?.id)
  const close = () => setAsked(null)
  const add = <Button onClick={() => setAdding(true)}>{t('backups.add')}</Button>
  return (
    <div className={styles.page}>
      <PageHeader title={t('backups.title')} sub={t('backups.sub')} actions={rows.length > 0 ? add : null} />
      <Failure text={error?.text} />
      {backups ? null : <Skeleton label={t('common:wait')} heights={[96, 96]} />}
      {backups?.problem ? <ErrorState text={codeText(backups.problem)} /> : null}
      {backups && !backups.problem && rows.length === 0 ? (
        <EmptyState title={t('backups.emptyTitle')} text={t('backups.emptyText')} actions={add} />
      ) : null}
      {rows.length > 0 ? (
        <ul className="t-list">
          {rows.map((backup) => (
            <Row
              key={backup.id}
              backup={backup}
              disabled={isPending}
              onRun={() => void run(() => post('/backups', { action: 'run', id: backup.id }))}
              onAsk={(question) => setAsked({ id: backup.id, question })}
            />
          ))}
        </ul>
      ) : null}
      {isAdding ? <AddBackupDialog onClose={() => setAdding(false)} /> : null}
      {chosen && asked?.question === 'preview' ? <PreviewDialog backup={chosen} onClose={close} /> : null}
      {chosen && asked?.question === 'edit' ? <EditBackupDialog backup={chosen} onClose={close} /> : null}
      {chosen && asked?.question === 'remove' ? <RemoveBackupDialog backup={chosen} onClose={close} /> : null}
    </div>
  )
}

type RowProps = {
  backup: Backup
  disabled: boolean
  onRun: () => void
  onAsk: (question: Question) => void
}

function Row({ backup, disabled, onRun, onAsk }: RowProps) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const { name, every } = backup
  const isManual = !backup.isWatched && !every
  const space = spaces.find((each) => each.id === backup.space)?.name
  return (
    <li className="t-ends">
      <span className={styles.main}>
        <strong>
          <Name dir="ltr">{backup.folder}</Name>
        </strong>
        <span className="t-soft">
          <Name>{space}</Name> · <Name>{backup.path}</Name> · {isManual ? t('backups.notWatched') : null}
          {backup.isWatched ? t('backups.watched') : null}
          {backup.isWatched && every ? ' · ' : null}
          {every ? t(`backups.every.${every}`, { at: formatTime(backup.at || '00:00') }) : null}
        </span>
        {backup.exclude.length > 0 ? (
          <span className="t-soft">
            {t('backups.without')} <Name dir="ltr">{backup.exclude.join(', ')}</Name>
          </span>
        ) : null}
        {backup.remindAfter ? (
          <span className="t-soft">{t('backups.reminder', { count: backup.remindAfter })}</span>
        ) : null}
        <LastRun backup={backup} />
      </span>
      <span className="t-line">
        <Button
          variant="outlined"
          disabled={disabled || backup.state !== null}
          aria-label={t('backups.runOf', { name })}
          onClick={onRun}
        >
          {t('backups.run')}
        </Button>
        <Button variant="text" aria-label={t('backups.previewOf', { name })} onClick={() => onAsk('preview')}>
          {t('backups.preview')}
        </Button>
        <Button variant="text" aria-label={t('backups.editOf', { name })} onClick={() => onAsk('edit')}>
          {t('backups.edit')}
        </Button>
        <Button variant="text" danger aria-label={t('backups.removeOf', { name })} onClick={() => onAsk('remove')}>
          {t('common:actions.remove')}
        </Button>
      </span>
    </li>
  )
}
