import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, SelectField } from '@/components/forms/Field'
import { Lead } from '@/components/forms/layout'
import { visible } from '@/lib/visible'
import { post } from '../api'
import { usePageState, type ConnectedFolder } from '../client-state'
import { FolderChooser } from '../FolderChooser'
import { FormDialog } from '../FormDialog'
import { useLocalFolder } from '../use-folder'
import { bodyOf, LeaveOutFields, type LeftOut } from './LeaveOutFields'

type Props = { row: ConnectedFolder; onClose: () => void }

export function AddFolderDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const [opened, setOpened] = useState('')
  const { folder, error } = useLocalFolder(opened)
  const [kind, setKind] = useState<'sync' | 'mount'>('sync')
  const [space, setSpace] = useState(spaces[0]?.id ?? '')
  const [path, setPath] = useState('')
  const [name, setName] = useState('Tessera')
  const [leftOut, setLeftOut] = useState<LeftOut>({ subfolders: [], patterns: '' })
  const isDrive = kind === 'mount'
  const newName = isDrive ? name.trim() : ''
  // The user's own folder is where choosing begins; it is not a choice, but a new folder can be made in it.
  const isChosen = Boolean(folder && (folder.parent ?? newName))
  return (
    <FormDialog
      title={t('folders.add')}
      submit={t('folders.add')}
      disabled={!isChosen}
      onClose={onClose}
      onSubmit={async () => {
        const target = { space: space || null, path: isDrive ? '' : path.trim() }
        const rules = isDrive ? { subfolders: [], patterns: [] } : bodyOf(leftOut)
        await post('/connected-folders', {
          action: 'add',
          kind,
          folder: folder?.path,
          name: newName,
          ...target,
          ...rules,
        })
        onClose()
      }}
    >
      <SelectField
        label={t('folders.kind')}
        hint={t(`folders.kindHints.${kind}`)}
        value={kind}
        onChange={({ target }) => {
          const chosen = target.value === 'mount' ? 'mount' : 'sync'
          setKind(chosen)
          if (chosen === 'sync' && !space) setSpace(spaces[0]?.id ?? '')
        }}
      >
        <option value="sync">{t('folders.kinds.sync')}</option>
        <option value="mount">{t('folders.kinds.mount')}</option>
      </SelectField>
      <FolderChooser
        label={t(isDrive ? 'folders.parent' : 'backups.folder')}
        folder={folder}
        error={error}
        onOpen={setOpened}
      />
      {isDrive ? (
        <Field
          label={t('folders.newFolder')}
          hint={t('folders.newFolderHint')}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      ) : null}
      {spaces.length > 1 || isDrive ? (
        <SelectField label={t('files.space')} value={space} onChange={({ target }) => setSpace(target.value)}>
          {isDrive ? <option value="">{t('folders.allSpaces')}</option> : null}
          {spaces.map((each) => (
            <option key={each.id} value={each.id}>
              {visible(each.name)}
            </option>
          ))}
        </SelectField>
      ) : null}
      {isDrive ? null : (
        <>
          <Field
            label={t('backups.place')}
            hint={t('folders.placeHint')}
            value={path}
            onChange={({ target }) => setPath(target.value)}
          />
          <LeaveOutFields space={space} path={path.trim()} value={leftOut} onChange={setLeftOut} />
        </>
      )}
    </FormDialog>
  )
}

export function ExcludeDialog({ row, onClose }: Props) {
  const { t } = useTranslation('client')
  const [leftOut, setLeftOut] = useState<LeftOut>({ subfolders: row.subfolders, patterns: row.patterns.join(', ') })
  return (
    <FormDialog
      title={t('folders.excludeOf', { name: row.name })}
      submit={t('common:actions.save')}
      onClose={onClose}
      onSubmit={async () => {
        await post('/connected-folders', { action: 'exclude', id: row.id, ...bodyOf(leftOut) })
        onClose()
      }}
    >
      <Lead>{t('folders.excludeText')}</Lead>
      <LeaveOutFields space={row.space ?? ''} path={row.path} value={leftOut} onChange={setLeftOut} />
    </FormDialog>
  )
}

export function RemoveFolderDialog({ row, onClose }: Props) {
  const { t } = useTranslation('client')
  return (
    <FormDialog
      title={t('folders.removeTitle', { name: row.name })}
      submit={t('folders.removeSubmit')}
      danger
      onClose={onClose}
      onSubmit={async () => {
        await post('/connected-folders', { action: 'remove', id: row.id })
        onClose()
      }}
    >
      <Lead>{t(`folders.removeText.${row.kind}`)}</Lead>
    </FormDialog>
  )
}
