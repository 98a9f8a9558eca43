import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams } from 'react-router'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { IconButton } from '@/components/IconButton'
import { HistoryIcon } from '@/components/icons/HistoryIcon'
import { PageHeader } from '@/components/PageHeader'
import { toast } from '@/components/toast'
import styles from '../page.module.css'
import { post } from '../api'
import { usePageState, type SpaceInfo } from '../client-state'
import { useCall, useErrorText } from '../use-call'
import { Breadcrumbs } from './Breadcrumbs'
import { FileTable } from './FileTable'
import { folderUrl, trashUrl } from './folder-url'
import { SelectionBar } from './SelectionBar'
import type { FileRow, Listed } from './use-rows'
import { useSelection } from './use-selection'
import { Name } from '../Name'

export default function TrashPage() {
  const { space: id, '*': path = '' } = useParams()
  const { spaces } = usePageState()
  const space = spaces.find((each) => each.id === id)
  return space ? <Trash space={space} path={path} /> : <Navigate to="/files" replace />
}

function Trash({ space, path }: { space: SpaceInfo; path: string }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { run, isPending } = useCall()
  const list: Listed = { space: space.id, revision: space.revision, path, trash: true }
  const selection = useSelection(list)

  async function restore(rows: FileRow[]) {
    try {
      const paths = rows.map((row) => row.path)
      const { restored, blocked } = await post('/restore', { space: space.id, paths, sequence: null, isPreview: false })
      const [only] = rows.length === 1 ? rows : []
      const name = only?.name
      toast.success(name ? t('versions.restored', { name }) : t('trash.restored', { count: restored }))
      if (blocked.length > 0) toast.error(t('trash.blocked', { path: blocked[0] }))
      selection.clear()
    } catch (error) {
      toast.error(textOf(error))
    }
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title={t('trash.title')}
        sub={t('trash.sub', { space: space.name })}
        actions={
          <LinkButton variant="outlined" to={folderUrl(space.id, '')}>
            {t('trash.back')}
          </LinkButton>
        }
      />
      <SelectionBar
        selection={selection}
        actions={
          <Button
            variant="text"
            icon={<HistoryIcon />}
            pending={isPending}
            onClick={() => void run(() => restore(selection.rows))}
          >
            {t('versions.restore')}
          </Button>
        }
      >
        {path ? <Breadcrumbs space={space} path={path} urlOf={(folder) => trashUrl(space.id, folder)} /> : null}
      </SelectionBar>
      <FileTable
        list={list}
        caption={t('trash.title')}
        selection={selection}
        dateLabel={t('trash.removed')}
        name={(row) => {
          const name = <Name>{path ? row.name : row.path}</Name>
          return row.type === 'folder' ? <Link to={trashUrl(space.id, row.path)}>{name}</Link> : name
        }}
        end={(row) => (
          <IconButton label={t('trash.restoreOf', { name: row.name })} onClick={() => void restore([row])}>
            <HistoryIcon />
          </IconButton>
        )}
        empty={<EmptyState title={t('trash.emptyTitle')} text={t('trash.emptyText')} />}
      />
    </div>
  )
}
