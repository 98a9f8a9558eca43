import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { FormError, Lead, Stack } from '@/components/forms/layout'
import { PageHeader } from '@/components/PageHeader'
import { ProgressBar } from '@/components/ProgressBar'
import { Skeleton } from '@/components/Skeleton'
import { toast } from '@/components/toast'
import page from '../page.module.css'
import { get, post } from '../api'
import { usePageState } from '../client-state'
import { FormDialog } from '../FormDialog'
import { Name } from '../Name'
import { useCall, useErrorText } from '../use-call'
import { RequestCard, type Arrival, type FileRequest } from './RequestCard'
import { RequestDialog } from './RequestDialog'
import styles from './requests.module.css'

type Question = { kind: 'new' } | { kind: 'end'; request: FileRequest } | { kind: 'refuse'; arrival: Arrival }
type NotStored = { path: string; reason: string }

/** Links by which people without an account send files, and what has come. */
export default function RequestsPage() {
  const { t } = useTranslation('client')
  const { account, receiving } = usePageState()
  const textOf = useErrorText()
  const accepting = useCall()
  const [question, setQuestion] = useState<Question | null>(null)
  const [failed, setFailed] = useState<NotStored[]>([])
  const { data, error, refetch } = useQuery({
    queryKey: ['requests'],
    queryFn: () => get('/requests'),
    // People outside send at any time.
    refetchInterval: 10_000,
  })
  const close = () => setQuestion(null)
  const isAccepting = accepting.isPending || receiving !== null
  const begin = <Button onClick={() => setQuestion({ kind: 'new' })}>{t('requests.new')}</Button>

  async function accept(arrival: Arrival) {
    setFailed([])
    await accepting.run(async () => {
      const accepted = await post('/requests/accept', { arrival: arrival.id })
      setFailed(accepted.failed)
      if (accepted.failed.length === 0) toast.success(t('requests.accepted', { count: accepted.paths.length }))
      await refetch()
    })
  }

  return (
    <div className={page.page}>
      <PageHeader title={t('requests.title')} sub={t('requests.sub')} actions={data?.length ? begin : null} />
      {error ? <ErrorState text={textOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton label={t('requests.loading')} heights={[96, 96]} /> : null}
      {data?.length === 0 ? (
        <EmptyState title={t('requests.emptyTitle')} text={t('requests.emptyText')} actions={begin} />
      ) : null}
      {isAccepting ? (
        <Stack>
          <ProgressBar
            label={t('requests.accepting')}
            value={receiving?.size ? Math.round((receiving.done / receiving.size) * 100) : undefined}
          />
          <Button variant="text" onClick={() => void post('/requests/cancel')}>
            {t('share.stop')}
          </Button>
        </Stack>
      ) : null}
      {accepting.error ? <FormError takesFocus={false}>{accepting.error.text}</FormError> : null}
      {failed.length > 0 ? <NotStoredList failed={failed} /> : null}
      {data && data.length > 0 ? (
        <ul className={styles.list}>
          {data.map((request) => (
            <RequestCard
              key={request.id}
              request={request}
              canEnd={request.state === 'open' && (request.isOwn || account?.isLeader === true)}
              isAccepting={isAccepting}
              onEnd={() => setQuestion({ kind: 'end', request })}
              onAccept={(arrival) => void accept(arrival)}
              onRefuse={(arrival) => setQuestion({ kind: 'refuse', arrival })}
            />
          ))}
        </ul>
      ) : null}
      {question?.kind === 'new' ? <RequestDialog onClose={close} onMade={() => void refetch()} /> : null}
      {question?.kind === 'end' ? (
        <FormDialog
          title={t('requests.endTitle')}
          submit={t('shares.end')}
          danger
          onClose={close}
          onSubmit={async () => {
            await post('/requests/end', { request: question.request.id })
            toast.success(t('requests.ended'))
            close()
            await refetch()
          }}
        >
          <Lead>{t('requests.endText')}</Lead>
        </FormDialog>
      ) : null}
      {question?.kind === 'refuse' ? (
        <FormDialog
          title={t('requests.refuseTitle')}
          submit={t('requests.refuse')}
          danger
          onClose={close}
          onSubmit={async () => {
            await post('/requests/refuse', { arrival: question.arrival.id })
            toast.success(t('requests.refused'))
            close()
            await refetch()
          }}
        >
          <Lead>{t('requests.refuseText')}</Lead>
        </FormDialog>
      ) : null}
    </div>
  )
}

function NotStoredList({ failed }: { failed: NotStored[] }) {
  const { t } = useTranslation('client')
  return (
    <div role="alert">
      <p className={page.error}>{t('requests.notStored')}</p>
      <ul className="t-list">
        {failed.slice(0, 20).map(({ path, reason }) => (
          <li key={path}>
            <Name>{path}</Name> <span className="t-soft">{reason}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
