import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { NativeDialog } from '@/components/dialog/NativeDialog'
import { Field } from '@/components/forms/Field'
import formStyles from '@/components/forms/form.module.css'
import { toast } from '@/components/toast'
import { call } from '../page-state'
import { useCall } from '../use-call'
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
    <Ask
      title={t('files.newFolder')}
      submit={t('folder.create')}
      disabled={name.trim() === ''}
      onClose={onClose}
      onSubmit={async () => {
        await call('POST', 'folders', { space, path: path ? `${path}/${name.trim()}` : name.trim() })
        onDone()
      }}
    >
      <Field label={t('folder.name')} value={name} autoFocus onChange={({ target }) => setName(target.value)} />
    </Ask>
  )
}

/** A new name or, with slashes, a new place. */
function RenameDialog({ row, space, onClose, onDone }: Common & { row: FileRow }) {
  const { t } = useTranslation('client')
  const [target, setTarget] = useState(row.path)
  const cleaned = target.trim().replace(/^\/+|\/+$/g, '')
  return (
    <Ask
      title={t('rename.title', { name: row.name })}
      submit={t('rename.submit')}
      disabled={cleaned === '' || cleaned === row.path}
      onClose={onClose}
      onSubmit={async () => {
        await call('POST', 'move', { space, source: row.path, target: cleaned })
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
    </Ask>
  )
}

function RemoveDialog({ row, space, onClose, onDone }: Common & { row: FileRow }) {
  const { t } = useTranslation('client')
  return (
    <Ask
      title={t('remove.title', { name: row.name })}
      submit={t('remove.submit')}
      danger
      onClose={onClose}
      onSubmit={async () => {
        await call('POST', 'remove', { space, path: row.path })
        toast.success(t('remove.done'))
        onDone()
      }}
    >
      <p className={formStyles.lead}>
        {row.type === 'folder' ? t('remove.folder', { count: row.files }) : t('remove.file')}
      </p>
    </Ask>
  )
}

type AskProps = {
  title: string
  submit: string
  danger?: boolean
  disabled?: boolean
  children: ReactNode
  onClose: () => void
  onSubmit: () => Promise<void>
}

/** A small form in a dialog, with its failure in words. */
export function Ask({ title, submit, danger = false, disabled = false, children, onClose, onSubmit }: AskProps) {
  const { t } = useTranslation()
  const { run, isPending, error } = useCall()
  return (
    <NativeDialog title={title} onCancel={onClose}>
      <form
        className={formStyles.dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled && !isPending) void run(onSubmit)
        }}
      >
        {children}
        {error ? (
          <p role="alert" className={formStyles.error}>
            {error.text}
          </p>
        ) : null}
        <div className={formStyles.actions}>
          <Button variant="text" onClick={onClose} disabled={isPending}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" danger={danger} pending={isPending} disabled={disabled}>
            {submit}
          </Button>
        </div>
      </form>
    </NativeDialog>
  )
}
