import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { Field, SelectField } from '@/components/forms/Field'
import { Actions, FormError, Lead, Stack } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { formatBytes } from '@/i18n/format'
import { visible } from '@/lib/visible'
import { get, post, type Schemas } from '../api'
import { usePageState, type Backup } from '../client-state'
import { FormDialog } from '../FormDialog'
import styles from '../page.module.css'
import { useErrorText } from '../use-call'
import { PathList } from '../PathList'
import { FolderChooser } from '../FolderChooser'
import { useLocalFolder } from '../use-folder'
import { bodyOf, RuleFields, type Rules } from './RuleFields'

type Props = { backup: Backup; onClose: () => void }

export function AddBackupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const [opened, setOpened] = useState('')
  const { folder, error } = useLocalFolder(opened)
  const [chosen, setChosen] = useState<string | null>(null)
  // Spaces may arrive after the dialog was opened.
  const space = chosen ?? spaces[0]?.id ?? ''
  const [path, setPath] = useState('')
  const [rules, setRules] = useState<Rules>({ exclude: '', isWatched: true, every: null, at: '', remindAfter: null })
  // The user's own folder is where choosing begins; it is not a choice.
  const isChosen = Boolean(folder?.parent)
  return (
    <FormDialog
      title={t('backups.add')}
      submit={t('backups.add')}
      disabled={!isChosen}
      onClose={onClose}
      onSubmit={async () => {
        const place = { folder: folder?.path, space, path: path.trim() }
        await post('/backups', { action: 'add', ...place, ...bodyOf(rules) })
        onClose()
      }}
    >
      <FolderChooser label={t('backups.folder')} folder={folder} error={error} onOpen={setOpened} />
      {spaces.length > 1 ? (
        <SelectField label={t('files.space')} value={space} onChange={({ target }) => setChosen(target.value)}>
          {spaces.map((each) => (
            <option key={each.id} value={each.id}>
              {visible(each.name)}
            </option>
          ))}
        </SelectField>
      ) : null}
      <Field
        label={t('backups.place')}
        hint={t('backups.placeHint')}
        value={path}
        onChange={({ target }) => setPath(target.value)}
      />
      <RuleFields rules={rules} onChange={setRules} />
    </FormDialog>
  )
}

export function EditBackupDialog({ backup, onClose }: Props) {
  const { t } = useTranslation('client')
  const [rules, setRules] = useState<Rules>({ ...backup, exclude: backup.exclude.join(', ') })
  return (
    <FormDialog
      title={t('backups.editOf', { name: backup.name })}
      submit={t('common:actions.save')}
      onClose={onClose}
      onSubmit={async () => {
        await post('/backups', { action: 'change', id: backup.id, ...bodyOf(rules) })
        onClose()
      }}
    >
      <RuleFields rules={rules} onChange={setRules} />
    </FormDialog>
  )
}

export function RemoveBackupDialog({ backup, onClose }: Props) {
  const { t } = useTranslation('client')
  return (
    <FormDialog
      title={t('backups.removeTitle', { name: backup.name })}
      submit={t('backups.removeSubmit')}
      danger
      onClose={onClose}
      onSubmit={async () => {
        await post('/backups', { action: 'remove', id: backup.id })
        onClose()
      }}
    >
      <Lead>{t('backups.removeText')}</Lead>
    </FormDialog>
  )
}

/** What the next run would store. */
export function PreviewDialog({ backup, onClose }: Props) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { data, error } = useQuery({
    queryKey: ['backup-preview', backup.id],
    queryFn: () => get('/backups/preview', { id: backup.id }),
    gcTime: 0,
  })
  return (
    <Dialog title={t('backups.previewTitle', { name: backup.name })} onClose={onClose} closesOnOutsideClick={false}>
      <DialogContent>
        <Stack>
          {error ? <FormError takesFocus={false}>{textOf(error)}</FormError> : null}
          {data || error ? null : <Skeleton label={t('common:wait')} heights={[24, 24]} />}
          {data ? <PreviewResult preview={data} /> : null}
          <Actions>
            <Button autoFocus variant="outlined" onClick={onClose}>
              {t('common:actions.close')}
            </Button>
          </Actions>
        </Stack>
      </DialogContent>
    </Dialog>
  )
}

function PreviewResult({ preview }: { preview: Schemas['BackupPreview'] }) {
  const { t } = useTranslation('client')
  const { files, count, bytes, unchanged, failed, problems } = preview
  return (
    <div>
      <Lead role="status">
        {count > 0 ? t('backups.previewFiles', { count, size: formatBytes(bytes) }) : t('backups.previewNothing')}{' '}
        {unchanged > 0 ? t('backups.previewUnchanged', { count: unchanged }) : ''}
      </Lead>
      <PathList paths={files} more={count - files.length} />
      {failed > 0 ? (
        <div className={styles.error}>
          <Lead>{t('backups.failed', { count: failed })}</Lead>
          <PathList paths={problems} more={failed - problems.length} />
        </div>
      ) : null}
    </div>
  )
}
