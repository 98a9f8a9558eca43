import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { SectionCard } from '@/components/SectionCard'
import { formatDate, formatNumber } from '@/i18n/format'
import { invoicesQuery, planQuery } from '../api'
import { sentenceMoney } from '../subscription-state'
import { Bars } from './Bars'
import { InvoiceTable } from './InvoiceTable'
import styles from './page.module.css'

const PAGE_SIZE = 5

/** The page shown is in the address, so that Back and links restore it. It counts from 1 there. */
function usePage(): [page: number, setPage: (page: number) => void] {
  const [params, setParams] = useSearchParams()
  const given = Number(params.get('invoices'))
  const page = Number.isInteger(given) && given > 1 ? given - 1 : 0
  const setPage = (next: number) =>
    setParams((old) => {
      const changed = new URLSearchParams(old)
      if (next === 0) changed.delete('invoices')
      else changed.set('invoices', String(next + 1))
      return changed
    })
  return [page, setPage]
}

export function Invoices() {
  const { t } = useTranslation('subscription')
  const [page, setPage] = usePage()
  const { data, error, refetch, isPlaceholderData } = useQuery(invoicesQuery(page, PAGE_SIZE))
  return (
    <SectionCard title={t('invoices.title')} aside={<NextAmount />}>
      {data && data.item1.length > 0 ? <InvoiceTable invoices={data.item1} fading={isPlaceholderData} /> : null}
      {data?.item1.length === 0 ? <p className={styles.none}>{t('invoices.none')}</p> : null}
      {data && (data.item2 > PAGE_SIZE || page > 0) ? <Pager page={page} total={data.item2} onPage={setPage} /> : null}
      {!data && error ? (
        <ErrorState
          heading="h3"
          title={t('invoices.failed')}
          text={loadErrorMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {!data && !error ? (
        <div role="status" aria-label={t('loading')} className={styles.bars}>
          <Bars heights={[36, 36, 36]} />
        </div>
      ) : null}
    </SectionCard>
  )
}

function NextAmount() {
  const { t } = useTranslation('subscription')
  const { data: plan } = useQuery(planQuery)
  if (!plan?.nextDate || plan.nextAmount === null) return null
  return (
    <p className={styles.soft}>
      {t('invoices.next', {
        amount: sentenceMoney(plan.nextAmount, plan.plan.currency),
        date: formatDate(plan.nextDate),
      })}
    </p>
  )
}

function Pager({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const { t } = useTranslation('subscription')
  const last = Math.max(0, Math.ceil(total / PAGE_SIZE) - 1)
  const from = Math.min(page * PAGE_SIZE + 1, total)
  const range = {
    from: formatNumber(from),
    to: formatNumber(Math.min((page + 1) * PAGE_SIZE, total)),
    total: formatNumber(total),
  }
  return (
    <nav className={styles.pager} aria-label={t('invoices.pages')}>
      <span className={styles.soft} role="status">
        {t('invoices.range', range)}
      </span>
      <button type="button" disabled={page === 0} onClick={() => onPage(Math.min(page, last + 1) - 1)}>
        {t('invoices.newer')}
      </button>
      <button type="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
        {t('invoices.older')}
      </button>
    </nav>
  )
}
