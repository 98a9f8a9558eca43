import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { CompanyIcon } from '@/components/icons/CompanyIcon'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { StateBadge } from '@/components/StateBadge'
import { Tabs } from '@/components/Tabs'
import { companyDetail, type CompanyDetail } from './api'
import type { CompanyDialog } from './page/CompanyDialogs'
import { CompanyFacts } from './page/CompanyFacts'
import styles from './page/facts.module.css'

const CompanyDialogs = lazy(() => import('./page/CompanyDialogs'))

const TABS = ['overview', 'members', 'activity'] as const
type Tab = (typeof TABS)[number]

type Props = {
  /** NaN for an address that names no company. */
  id: number
  /** Lists of other features. */
  members: ReactNode
  activity: ReactNode
  onGone: (id: number) => void
}

/** A company as the platform admin sees it. */
export function CompanyPage({ id, ...rest }: Props) {
  const { t } = useTranslation('companies')
  const valid = Number.isSafeInteger(id)
  const { data, error, refetch } = useQuery({ ...companyDetail(id), enabled: valid })
  if (data) return <CompanyView company={data} {...rest} />
  // The platform's own company cannot be selected: 403.
  if (!valid || (error instanceof ApiError && [403, 404, 422].includes(error.status))) return <NotFound />
  if (error) return <ErrorState heading="h1" text={loadErrorMessage(error)} onRetry={() => void refetch()} />
  return <Skeleton label={t('detail.loading')} heights={[64, 44, 360]} />
}

type ViewProps = Omit<Props, 'id'> & { company: CompanyDetail }

function CompanyView({ company, members, activity, onGone }: ViewProps) {
  const { t } = useTranslation('companies')
  const [params, setParams] = useSearchParams()
  const [dialog, setDialog] = useState<CompanyDialog | null>(null)
  const tab: Tab = TABS.find((name) => name === params.get('tab')) ?? 'overview'
  const panels = { overview: <CompanyFacts company={company} />, members, activity }
  const { isEnabled } = company
  return (
    <>
      <PageHeader
        title={company.name}
        icon={<CompanyIcon />}
        sub={
          <span className={styles.badges}>
            <StateBadge tone={isEnabled ? 'success' : 'warning'}>
              {t(isEnabled ? 'totals.enabled' : 'totals.disabled')}
            </StateBadge>
            <bdi dir="ltr">{company.email}</bdi>
          </span>
        }
        actions={
          <>
            <LinkButton variant="text" size="large" to="/admin/companies">
              {t('detail.back')}
            </LinkButton>
            <Button variant="outlined" size="large" onClick={() => setDialog({ kind: 'status', company })}>
              {t(isEnabled ? 'disable.confirm' : 'enable.confirm')}
            </Button>
            <Button variant="outlined" size="large" danger onClick={() => setDialog({ kind: 'delete', company })}>
              {t('actions.delete')}
            </Button>
          </>
        }
      />
      <Tabs
        label={t('common:screens.company')}
        tabs={TABS.map((name) => ({ id: name, label: t(`detail.tabs.${name}`) }))}
        current={tab}
        // Search and filters of one list do not apply to the other.
        onChange={(next) => setParams(next === 'overview' ? {} : { tab: next })}
      >
        <Suspense key={tab} fallback={<Skeleton label={t('detail.loading')} heights={[420]} />}>
          {panels[tab]}
        </Suspense>
      </Tabs>
      <Suspense fallback={null}>
        {dialog ? <CompanyDialogs dialog={dialog} onClose={() => setDialog(null)} onGone={onGone} /> : null}
      </Suspense>
    </>
  )
}

function NotFound() {
  const { t } = useTranslation('companies')
  return (
    <EmptyState
      heading="h1"
      art="lost"
      title={t('detail.notFound.title')}
      text={t('detail.notFound.text')}
      actions={
        <LinkButton size="large" to="/admin/companies">
          {t('detail.back')}
        </LinkButton>
      }
    />
  )
}
