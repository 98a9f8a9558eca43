import { useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { IconButton } from '@/components/IconButton'
import { DeleteIcon } from '@/components/icons/DeleteIcon'
import { EditIcon } from '@/components/icons/EditIcon'
import { FolderIcon } from '@/components/icons/FolderIcon'
import { ShareIcon } from '@/components/icons/ShareIcon'
import { toast } from '@/components/toast'
import { formatBytes } from '@/i18n/format'
import { usePageState, type SpaceInfo } from '../client-state'
import { useErrorText } from '../use-call'
import { Breadcrumbs } from './Breadcrumbs'
import { DownloadButton } from './DownloadButton'
import { FilesDialog, type Question } from './FilesDialog'
import styles from './FilesPage.module.css'
import { FilesToolbar } from './FilesToolbar'
import { FilePanel } from './FilePanel'
import { FileTable } from './FileTable'
import { FirstSpace } from './FirstSpace'
import { folderUrl } from './folder-url'
import { SelectionBar } from './SelectionBar'
import { filesOfDrop, handOver } from './upload'
import type { FileRow, Listed } from './use-rows'
import { useSelection } from './use-selection'
import { Name } from '../Name'

export default function FilesPage() {
  const { space, '*': path = '' } = useParams()
  const { spaces } = usePageState()
  const first = spaces[0]
  if (!first) return <FirstSpace />
  const chosen = spaces.find((each) => each.id === space)
  // Shown without a redirect, which would undo a click on another page's link that is under way.
  return <SpaceFiles key={(chosen ?? first).id} space={chosen ?? first} path={chosen ? path : ''} />
}

function SpaceFiles({ space, path }: { space: SpaceInfo; path: string }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const [search, setSearch] = useState('')
  const [sorting, setSorting] = useState<Pick<Listed, 'sort' | 'descending'>>({})
  const [selected, setSelected] = useState<FileRow | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [isOver, setOver] = useState(false)
  const list: Listed = { space: space.id, revision: space.revision, path, search, ...sorting }
  const selection = useSelection(list)
  const chosen = selection.rows
  const remove = () => setQuestion({ kind: 'remove', rows: chosen })

  async function upload(files: Promise<Parameters<typeof handOver>[2]>) {
    try {
      await handOver(space.id, path, await files)
    } catch (error) {
      toast.error(textOf(error))
    }
  }

  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (event.currentTarget === event.target) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void upload(filesOfDrop(event.dataTransfer.items))
    },
  }

  return (
    <div className={styles.page} data-over={isOver} {...drop}>
      <h1 className="t-hidden">{t('menu.files')}</h1>
      <FilesToolbar
        space={space}
        path={path}
        search={search}
        onSearch={setSearch}
        onFolder={() => setQuestion({ kind: 'folder', path })}
        onFiles={(files) => void upload(Promise.resolve(files))}
      />
      <div className={styles.columns}>
        <section className={styles.list}>
          <SelectionBar
            selection={selection}
            actions={
              <>
                <DownloadButton space={space.id} rows={chosen} />
                <Button
                  variant="text"
                  icon={<ShareIcon />}
                  onClick={() => setQuestion({ kind: 'share', rows: chosen })}
                >
                  {t('select.share')}
                </Button>
                <Button
                  variant="text"
                  icon={<FolderIcon />}
                  onClick={() => setQuestion({ kind: 'move', rows: chosen, path })}
                >
                  {t('select.move')}
                </Button>
                <Button variant="text" danger icon={<DeleteIcon />} onClick={remove}>
                  {t('common:actions.remove')}
                </Button>
              </>
            }
          >
            <Breadcrumbs space={space} path={search ? '' : path}>
              <span className="t-soft">{t('files.sum', { count: space.files, size: formatBytes(space.bytes) })}</span>
            </Breadcrumbs>
          </SelectionBar>
          <FileTable
            list={list}
            caption={t('files.caption', { space: space.name })}
            selected={selected?.path}
            selection={selection}
            onDelete={remove}
            dateLabel={t('files.modified')}
            withProtection
            onSort={
              search
                ? undefined
                : (sort) => setSorting({ sort, descending: (sorting.sort ?? 'name') === sort && !sorting.descending })
            }
            name={(row) =>
              row.type === 'folder' ? (
                <Link to={folderUrl(space.id, row.path)} onClick={() => setSearch('')}>
                  <Name>{row.name}</Name>
                </Link>
              ) : (
                <button type="button" onClick={() => setSelected(row)}>
                  <Name>{row.name}</Name>
                </button>
              )
            }
            end={(row) => (
              <span className={styles.actions}>
                <IconButton
                  label={t('files.renameOf', { name: row.name })}
                  onClick={() => setQuestion({ kind: 'rename', row })}
                >
                  <EditIcon />
                </IconButton>
                <IconButton
                  label={t('files.removeOf', { name: row.name })}
                  onClick={() => setQuestion({ kind: 'remove', rows: [row] })}
                >
                  <DeleteIcon />
                </IconButton>
              </span>
            )}
            empty={
              search ? (
                <EmptyState title={t('files.noMatch', { text: search })} />
              ) : (
                <EmptyState title={t('files.emptyTitle')} text={t('files.emptyText')} />
              )
            }
          />
          <p className={styles.hint}>
            <strong>{t('files.dropTitle')}</strong> {t('files.dropText')}
          </p>
        </section>
        {selected ? <FilePanel space={space} row={selected} onClose={() => setSelected(null)} /> : null}
      </div>
      {question ? (
        <FilesDialog
          space={space.id}
          question={question}
          onClose={() => setQuestion(null)}
          onDone={() => {
            setQuestion(null)
            if (question.kind === 'folder') return
            selection.clear()
            const gone = question.kind === 'rename' ? [question.row] : question.rows
            if (gone.some((row) => row.path === selected?.path)) setSelected(null)
          }}
        />
      ) : null}
    </div>
  )
}
