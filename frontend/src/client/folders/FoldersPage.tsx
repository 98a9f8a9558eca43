import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { post } from '../api'
import { usePageState, type ConnectedFolder } from '../client-state'
import { Failure } from '../Failure'
import { FirstSpace } from '../files/FirstSpace'
import { Name } from '../Name'
import styles from '../page.module.css'
import { useCall, useCodeText } from '../use-call'
import { AddFolderDialog, ExcludeDialog, RemoveFolderDialog } from './FolderDialogs'
import { FolderState } from './FolderState'
import { ServiceNotice } from './ServiceNotice'

type Question = 'exclude' | 'remove'

/** The folders of this computer that show a space, or are kept the same as one. */
export default function FoldersPage() {
  const { t } = useTranslation('client')
  const { folders, spaces } = usePageState()
  const codeText = useCodeText()
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<{ id: string; question: Question } | null>(null)
  const { run, isPending, error } = useCall()
  if (spaces.length === 0) return <FirstSpace />
  const rows = folders?.rows ?? []
  const chosen = rows.find((row) => row.id === asked?.id)
  const close = () => setAsked(null)
  const add = <Button onClick={() => setAdding(true)}>{t('folders.add')}</Button>
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('folders.title')}
        sub={t('folders.sub')}
        actions={rows.length > 0 || folders?.problem ? add : null}
      />
      <Failure text={error?.text} />
      {folders ? <ServiceNotice service={folders.service} /> : null}
      {folders ? null : <Skeleton label={t('common:wait')} heights={[96, 96]} />}
      {folders?.problem ? <ErrorState text={codeText(folders.problem)} /> : null}
      {folders && !folders.problem && rows.length === 0 ? (
        <EmptyState title={t('folders.emptyTitle')} text={t('folders.emptyText')} actions={add} />
      ) : null}
      {rows.length > 0 ? (
        <ul className="t-list">
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              disabled={isPending}
              onAct={(action) => void run(() => post('/connected-folders', { action, id: row.id }))}
              onAsk={(question) => setAsked({ id: row.id, question })}
            />
          ))}
        </ul>
      ) : null}
      {isAdding ? <AddFolderDialog onClose={() => setAdding(false)} /> : null}
      {chosen && asked?.question === 'exclude' ? <ExcludeDialog row={chosen} onClose={close} /> : null}
      {chosen && asked?.question === 'remove' ? <RemoveFolderDialog row={chosen} onClose={close} /> : null}
    </div>
  )
}

type RowProps = {
  row: ConnectedFolder
  disabled: boolean
  onAct: (action: 'pause' | 'resume' | 'open') => void
  onAsk: (question: Question) => void
}

function Row({ row, disabled, onAct, onAsk }: RowProps) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const { name, paused } = row
  const space = row.space ? spaces.find((each) => each.id === row.space)?.name : t('folders.allSpaces')
  const without = [...row.subfolders, ...row.patterns]
  return (
    <li className="t-ends">
      <span className={styles.main}>
        <strong>
          <Name dir="ltr">{row.folder}</Name>
        </strong>
        <span className="t-soft">
          {t(`folders.kinds.${row.kind}`)} · <Name>{space ?? t('folders.spaceGone')}</Name>
          {row.path === '/' ? null : (
            <>
              {' · '}
              <Name>{row.path.slice(1)}</Name>
            </>
          )}
        </span>
        {without.length > 0 ? (
          <span className="t-soft">
            {t('backups.without')} <Name dir="ltr">{without.join(', ')}</Name>
          </span>
        ) : null}
        <FolderState row={row} />
      </span>
      <span className="t-line">
        {row.conflicts > 0 ? (
          <LinkButton to={`/folders/${row.id}/conflicts`} aria-label={t('folders.resolveOf', { name })}>
            {t('folders.resolve')}
          </LinkButton>
        ) : null}
        <Button
          variant="outlined"
          disabled={disabled}
          aria-label={t('folders.openOf', { name })}
          onClick={() => onAct('open')}
        >
          {t('folders.open')}
        </Button>
        <Button
          variant="text"
          disabled={disabled}
          aria-label={t(paused ? 'folders.resumeOf' : 'folders.pauseOf', { name })}
          onClick={() => onAct(paused ? 'resume' : 'pause')}
        >
          {t(paused ? 'transfers.resume' : 'transfers.pause')}
        </Button>
        {row.kind === 'sync' ? (
          <Button variant="text" aria-label={t('folders.excludeOf', { name })} onClick={() => onAsk('exclude')}>
            {t('backups.patterns')}
          </Button>
        ) : null}
        <Button variant="text" danger aria-label={t('folders.removeOf', { name })} onClick={() => onAsk('remove')}>
          {t('folders.removeSubmit')}
        </Button>
      </span>
    </li>
  )
}
