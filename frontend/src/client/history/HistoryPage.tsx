import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { formatBytes, formatDateTime } from '@/i18n/format'
import styles from '../page.module.css'
import { get, type Schemas } from '../api'
import { usePageState, type SpaceInfo } from '../client-state'
import { Breadcrumbs } from '../files/Breadcrumbs'
import { folderUrl, historyUrl, momentUrl } from '../files/folder-url'
import { useErrorText } from '../use-call'
import { Name } from '../Name'

const PAGE = 100

/** The changes of a space or of a folder in it. */
export default function HistoryPage() {
  const { t } = useTranslation('client')
  const { space: id } = useParams()
  const [query] = useSearchParams()
  const { spaces } = usePageState()
  const path = query.get('path') ?? ''
  const space = spaces.find((each) => each.id === id)
  if (!space) return <Navigate to="/files" replace />
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('history.title')}
        sub={t('history.sub')}
        actions={
          <LinkButton variant="outlined" to={folderUrl(space.id, path)}>
            {t('trash.back')}
          </LinkButton>
        }
      />
      <Breadcrumbs space={space} path={path} urlOf={(folder) => historyUrl(space.id, folder)} />
      <Moments key={path} space={space} path={path} />
    </div>
  )
}

function Moments({ space, path }: { space: SpaceInfo; path: string }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: ['moments', space.id, space.revision, path, offset],
    queryFn: () => get('/moments', { space: space.id, path, offset: String(offset) }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState text={textOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton label={t('history.loading')} heights={[64, 64, 64]} />
  if (data.total === 0) return <EmptyState title={t('history.emptyTitle')} text={t('history.emptyText')} />
  return (
    <>
      <ul className="t-list">
        {data.rows.map((moment) => (
          <li key={moment.sequence} className="t-ends">
            <span className={styles.main}>
              <strong>{formatDateTime(moment.time)}</strong>
              <span className="t-soft">
                <Name>{moment.author ?? t('versions.former')}</Name> · <Did moment={moment} />
              </span>
            </span>
            <LinkButton
              variant="text"
              aria-label={t('history.viewOf', { time: formatDateTime(moment.time) })}
              to={momentUrl(space.id, moment, path)}
            >
              {t('history.view')}
            </LinkButton>
          </li>
        ))}
      </ul>
      {data.total > PAGE ? (
        <div className="t-line">
          <Button variant="outlined" disabled={offset === 0} onClick={() => setOffset(offset - PAGE)}>
            {t('history.newer')}
          </Button>
          <Button variant="outlined" disabled={offset + PAGE >= data.total} onClick={() => setOffset(offset + PAGE)}>
            {t('history.older')}
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Did({ moment: { stored, removed, bytes } }: { moment: Schemas['Moment'] }) {
  const { t } = useTranslation('client')
  const parts = [
    stored > 0 ? t('history.stored', { count: stored, size: formatBytes(bytes) }) : '',
    removed > 0 ? t('history.removed', { count: removed }) : '',
  ]
  return parts.filter(Boolean).join(' · ')
}
