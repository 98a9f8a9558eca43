import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams } from 'react-router'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { get } from '../api'
import { usePageState, type ConnectedFolder } from '../client-state'
import styles from '../page.module.css'
import { useErrorText } from '../use-call'
import { ConflictCard } from './ConflictCard'

const PAGE = 50

/** Files of a connected folder that two people have changed at the same time. */
export default function ConflictsPage() {
  const { t } = useTranslation('client')
  const { id } = useParams()
  const { folders } = usePageState()
  const row = folders?.rows.find((each) => each.id === id)
  if (folders && !row) return <Navigate to="/folders" replace />
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('conflicts.title')}
        sub={t('conflicts.sub', { name: row?.name ?? '' })}
        actions={
          <LinkButton variant="outlined" to="/folders">
            {t('conflicts.back')}
          </LinkButton>
        }
      />
      {row ? <Conflicts row={row} /> : <Skeleton label={t('common:wait')} heights={[220, 220]} />}
    </div>
  )
}

function Conflicts({ row }: { row: ConnectedFolder }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { spaces } = usePageState()
  const [offset, setOffset] = useState(0)
  const revisions = spaces.map((space) => space.revision)
  const { data, error, refetch } = useQuery({
    queryKey: ['conflicts', row.id, offset, revisions],
    queryFn: () => get('/connected-folders/conflicts', { id: row.id, offset: String(offset) }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  if (error) return <ErrorState text={textOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton label={t('common:wait')} heights={[220, 220]} />
  if (data.total === 0) return <EmptyState title={t('conflicts.emptyTitle')} text={t('conflicts.emptyText')} />
  return (
    <>
      {data.rows.map((conflict) => (
        <ConflictCard
          key={`${conflict.space} ${conflict.other.path}`}
          folder={row.id}
          conflict={conflict}
          onResolved={() => void refetch()}
        />
      ))}
      {data.total > PAGE || offset > 0 ? (
        <div className="t-line">
          <Button variant="outlined" disabled={offset === 0} onClick={() => setOffset(offset - PAGE)}>
            {t('common:actions.back')}
          </Button>
          <Button variant="outlined" disabled={offset + PAGE >= data.total} onClick={() => setOffset(offset + PAGE)}>
            {t('common:actions.next')}
          </Button>
        </div>
      ) : null}
    </>
  )
}
