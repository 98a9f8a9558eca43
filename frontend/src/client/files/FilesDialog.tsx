import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/forms/Field'
import { Lead } from '@/components/forms/layout'
import { toast } from '@/components/toast'
import { post } from '../api'
import { FormDialog } from '../FormDialog'
import type { FileRow } from './use-rows'

export type Question =
  { kind: 'folder'; path: string } | { kind: 'rename'; row: FileRow } | { kind: 'remove'; row: FileRow }

type Props = { space: string; question: Question; onClose: () => void; onDone: () => void }

export function FilesDialog({ question, ...rest }: Props) {
  if (question.kind === 'remove') return <RemoveDialog row={question.row} {...rest} />
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
        await post('/move', { space, source: row.path, target: cleaned })
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

function RemoveDialog({ row, space, onClose, onDone }: Common & { row: FileRow }) {
  const { t } = useTranslation('client')
  return (
    <FormDialog
      title={t('remove.title', { name: row.name })}
      submit={t('common:actions.remove')}
      danger
      onClose={onClose}
      onSubmit={async () => {
        await post('/remove', { space, path: row.path })
        toast.success(t('remove.done'))
        onDone()
      }}
    >
      <Lead>{row.type === 'folder' ? t('remove.folder', { count: row.files }) : t('remove.file')}</Lead>
    </FormDialog>
  )
}
