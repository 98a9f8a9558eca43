import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { Lead } from '@/components/forms/layout'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { StateBadge } from '@/components/StateBadge'
import { toast } from '@/components/toast'
import { formatBytes, formatDateTime, formatNumber } from '@/i18n/format'
import styles from '../page.module.css'
import { get, post, type Schemas } from '../api'
import { FormDialog } from '../FormDialog'
import { useErrorText } from '../use-call'
import { Name } from '../Name'

type Share = Schemas['ShareInfo']

const STATES = ['open', 'expired', 'used', 'guessed'] as const

/** The user's own links; the team leader sees everybody's. Nobody but their maker has the links themselves. */
export default function SharesPage() {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const [ending, setEnding] = useState<Share | null>(null)
  const { data, error, refetch } = useQuery({ queryKey: ['shares'], queryFn: () => get('/shares') })
  return (
    <div className={styles.page}>
      <PageHeader title={t('shares.title')} sub={t('shares.sub')} />
      {error ? <ErrorState text={textOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton label={t('shares.loading')} heights={[64, 64]} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          title={t('shares.emptyTitle')}
          text={t('shares.emptyText')}
          actions={<LinkButton to="/files">{t('menu.files')}</LinkButton>}
        />
      ) : null}
      {data && data.length > 0 ? (
        <ul className="t-list">
          {data.map((share) => (
            <Row key={share.id} share={share} onEnd={() => setEnding(share)} />
          ))}
        </ul>
      ) : null}
      {ending ? (
        <FormDialog
          title={t('shares.endTitle')}
          submit={t('shares.end')}
          danger
          onClose={() => setEnding(null)}
          onSubmit={async () => {
            await post('/shares/end', { share: ending.id })
            toast.success(t('shares.ended'))
            setEnding(null)
            await refetch()
          }}
        >
          <Lead>{t('shares.endText')}</Lead>
        </FormDialog>
      ) : null}
    </div>
  )
}

function Row({ share, onEnd }: { share: Share; onEnd: () => void }) {
  const { t } = useTranslation('client')
  const state = STATES.find((each) => each === share.state) ?? 'ended'
  const created = formatDateTime(share.created)
  return (
    <li className="t-ends">
      <span className={styles.main}>
        <strong>{t('shares.created', { date: created })}</strong>
        <span className="t-soft">
          {t('shares.details', {
            size: formatBytes(share.bytes),
            opened: formatNumber(share.downloads),
            most: formatNumber(share.maxDownloads),
            expires: formatDateTime(share.expires),
          })}
        </span>
        {share.isOwn ? null : (
          <span className="t-soft">
            <Name>{share.author || t('versions.former')}</Name>
          </span>
        )}
      </span>
      {state === 'open' ? (
        <Button variant="outlined" aria-label={t('shares.endOf', { date: created })} onClick={onEnd}>
          {t('shares.end')}
        </Button>
      ) : (
        <StateBadge tone={state === 'guessed' ? 'warning' : 'muted'}>{t(`shares.states.${state}`)}</StateBadge>
      )}
    </li>
  )
}
