import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { FolderIcon } from '@/components/icons/FolderIcon'
import { useErrorText } from './use-call'
import { Failure } from './Failure'
import styles from './FolderChooser.module.css'
import { Name } from './Name'

type Props = {
  label: string
  folder: { path: string; shownPath?: string; parent: string | null; folders: string[] } | undefined
  error: Error | null
  onOpen: (path: string) => void
}

/** Walks through folders; the one that is shown is the chosen one. */
export function FolderChooser({ label, folder, error, onOpen }: Props) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const open = (path: string) => {
    // The button that was used disappears with the folder that it stood in.
    list.current?.focus()
    onOpen(path)
  }
  return (
    <div role="group" aria-labelledby={id} className="t-grid">
      <strong id={id}>{label}</strong>
      <div className="t-ends">
        <output aria-label={t('backups.chosen')} className={styles.path}>
          <Name dir="ltr">{folder?.shownPath ?? folder?.path}</Name>
        </output>
        <Button variant="text" disabled={folder?.parent == null} onClick={() => open(folder?.parent ?? '')}>
          {t('backups.up')}
        </Button>
      </div>
      <Failure text={error ? textOf(error) : undefined} />
      <ul ref={list} tabIndex={-1} aria-labelledby={id} className={styles.folders}>
        {folder?.folders.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={styles.folder}
              onClick={() => open(folder.path ? `${folder.path}/${name}` : name)}
            >
              <FolderIcon />
              <Name>{name}</Name>
            </button>
          </li>
        ))}
        {folder?.folders.length === 0 ? <li className="t-soft">{t('backups.noFolders')}</li> : null}
      </ul>
    </div>
  )
}
