import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams } from 'react-router'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { IconButton } from '@/components/IconButton'
import { HistoryIcon } from '@/components/icons/HistoryIcon'
import { PageHeader } from '@/components/PageHeader'
import { formatDateTime } from '@/i18n/format'
import styles from '../page.module.css'
import { usePageState, type SpaceInfo } from '../client-state'
import { Breadcrumbs } from '../files/Breadcrumbs'
import { DownloadButton } from '../files/DownloadButton'
import { FileTable } from '../files/FileTable'
import { historyUrl, momentUrl } from '../files/folder-url'
import { SelectionBar } from '../files/SelectionBar'
import type { Listed } from '../files/use-rows'
import { useSelection } from '../files/use-selection'
import { Name } from '../Name'
import { RestoreDialog } from './RestoreDialog'

/** A folder as it was after a change. */
export default function MomentPage() {
  const { space: id, sequence, time, '*': path = '' } = useParams()
  const { spaces } = usePageState()
  const space = spaces.find((each) => each.id === id)
  const moment = { sequence: Number(sequence), time: Number(time) }
  const isMoment = moment.sequence >= 0 && !Number.isNaN(new Date(moment.time).getTime())
  if (!space || !isMoment) return <Navigate to="/files" replace />
  return <FolderThen space={space} moment={moment} path={path} />
}

type Props = { space: SpaceInfo; moment: { sequence: number; time: number }; path: string }

function FolderThen({ space, moment, path }: Props) {
  const { t } = useTranslation('client')
  const list: Listed = { space: space.id, revision: space.revision, path, at: moment.sequence }
  const selection = useSelection(list)
  const [restoring, setRestoring] = useState<string[] | null>(null)
  const paths = selection.rows.map((row) => row.path)
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('history.at', { time: formatDateTime(moment.time) })}
        sub={t('history.atSub')}
        actions={
          <>
            <LinkButton variant="outlined" to={historyUrl(space.id, path)}>
              {t('history.back')}
            </LinkButton>
            <Button icon={<HistoryIcon />} onClick={() => setRestoring([path])}>
              {t(path ? 'restore.folder' : 'restore.space')}
            </Button>
          </>
        }
      />
      <SelectionBar
        selection={selection}
        actions={
          <>
            <DownloadButton space={space.id} rows={selection.rows} at={moment.sequence} />
            <Button variant="text" icon={<HistoryIcon />} onClick={() => setRestoring(paths)}>
              {t('versions.restore')}
            </Button>
          </>
        }
      >
        <Breadcrumbs space={space} path={path} urlOf={(folder) => momentUrl(space.id, moment, folder)} />
      </SelectionBar>
      <FileTable
        list={list}
        caption={t('files.caption', { space: space.name })}
        selection={selection}
        dateLabel={t('files.modified')}
        name={(row) => {
          const name = <Name>{row.name}</Name>
          return row.type === 'folder' ? <Link to={momentUrl(space.id, moment, row.path)}>{name}</Link> : name
        }}
        end={(row) => (
          <IconButton label={t('trash.restoreOf', { name: row.name })} onClick={() => setRestoring([row.path])}>
            <HistoryIcon />
          </IconButton>
        )}
        empty={<EmptyState title={t('history.nothingTitle')} text={t('history.nothingText')} />}
      />
      {restoring ? (
        <RestoreDialog
          space={space.id}
          paths={restoring}
          moment={moment}
          onClose={() => setRestoring(null)}
          onDone={() => {
            setRestoring(null)
            selection.clear()
          }}
        />
      ) : null}
    </div>
  )
}
