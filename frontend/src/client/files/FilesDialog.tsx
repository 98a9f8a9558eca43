import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/forms/Field'
import { Lead } from '@/components/forms/layout'
import { toast } from '@/components/toast'
import { post } from '../api'
import { FolderChooser } from '../FolderChooser'
import { FormDialog } from '../FormDialog'
import { ShareDialog } from '../shares/ShareDialog'
import { parentOf, useSpaceFolder } from '../use-folder'
import type { FileRow } from './use-rows'

export type Question =
  | { kind: 'folder'; path: string }
  | { kind: 'rename'; row: FileRow }
  | { kind: 'move'; rows: FileRow[]; path: string }
  | { kind: 'remove'; rows: FileRow[] }
  | { kind: 'share'; rows: FileRow[] }

type Props = { space: string; question: Question; onClose: () => void; onDone: () => void }

export function FilesDialog({ question, ...rest }: Props) {
  if (question.kind === 'remove') return <RemoveDialog rows={question.rows} {...rest} />
  if (question.kind === 'share') return <ShareDialog space={rest.space} rows={question.rows} onClose={rest.onClose} />
  if (question.kind === 'move') return <MoveDialog rows={question.rows} path={question.path} {...rest} />
  if (question.kind === 'rename') return <RenameDialog row={question.row} {...rest} />
  return <FolderDialog path={question.path} {...rest} />
}

type Common = Omit<Props, 'question'>

function FolderDialog({ path, space, onClose, onDone }: Common & { path: string }) {
  const { t } = useTranslation('client')
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('files.newFolder')}
      submit={t('folder.create')}
      disabled={name.trim() === ''}
      onClose={onClose}
      onSubmit={async () => {
        await post('/folders', { space, path: path ? `${path}/${name.trim()}` : name.trim() })
        onDone()
      }}
    >
      <Field label={t('folder.name')} value={name} autoFocus onChange={({ target }) => setName(target.value)} />
    </FormDialog>
  )
}

/** A new name or, with slashes, a new place. */
function RenameDialog({ row, space, onClose, onDone }: Common & { row: FileRow }) {
  const { t } = useTranslation('client')
  const [target, setTarget] = useState(row.path)
  const cleaned = target.trim().replace(/^\/+|\/+$/g, '')
  return (
    <FormDialog
      title={t('rename.title', { name: row.name })}
      submit={t('rename.submit')}
      disabled={cleaned === '' || cleaned === row.path}
      onClose={onClose}
      onSubmit={async () => {
        await post('/move', { space, moves: { [row.path]: cleaned } })
        toast.success(t('rename.done'))
        onDone()
      }}
    >
      <Field
        label={t('rename.label')}
        hint={t('rename.hint')}
        value={target}
        autoFocus
        onChange={({ target: input }) => setTarget(input.value)}
      />
    </FormDialog>
  )
}

/** Several items into another folder of the space. */
function MoveDialog({ rows, path, space, onClose, onDone }: Common & { rows: FileRow[]; path: string }) {
  const { t } = useTranslation('client')
  const [target, setTarget] = useState(path)
  const { folder, error } = useSpaceFolder(space, target)
  return (
    <FormDialog
      title={t('move.title', { count: rows.length })}
      submit={t('rename.submit')}
      disabled={rows.every((row) => parentOf(row.path) === target)}
      onClose={onClose}
      onSubmit={async () => {
        const moves = rows.map((row) => [row.path, target ? `${target}/${row.name}` : row.name])
        await post('/move', { space, moves: Object.fromEntries(moves) as Record<string, string> })
        toast.success(t('rename.done'))
        onDone()
      }}
    >
      <FolderChooser label={t('move.target')} folder={folder} error={error} onOpen={setTarget} />
    </FormDialog>
  )
}

function RemoveDialog({ rows, space, onClose, onDone }: Common & { rows: FileRow[] }) {
  const { t } = useTranslation('client')
  const files = rows.reduce((sum, row) => sum + (row.type === 'folder' ? row.files : 1), 0)
  const [only] = rows.length === 1 ? rows : []
  return (
    <FormDialog
      title={only ? t('remove.title', { name: only.name }) : t('remove.several', { count: rows.length })}
      submit={t('common:actions.remove')}
      danger
      onClose={onClose}
      onSubmit={async () => {
        await post('/remove', { space, paths: rows.map((row) => row.path) })
        toast.success(t('remove.done'))
        onDone()
      }}
    >
      <Lead>{only && only.type !== 'folder' ? t('remove.file') : t('remove.folder', { count: files })}</Lead>
    </FormDialog>
  )
}
