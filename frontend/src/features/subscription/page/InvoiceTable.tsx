import { useTranslation } from 'react-i18next'
import { formatDate, formatMoney } from '@/i18n/format'
import type { Invoice } from '../api'
import styles from './page.module.css'

const columns = ['date', 'number', 'period', 'amount', 'status', 'pdf'] as const

/** On a phone each row is a small card; `data-label` puts the column's name beside its value there. */
export function InvoiceTable({ invoices, fading }: { invoices: readonly Invoice[]; fading: boolean }) {
  const { t } = useTranslation('subscription')
  return (
    <table className={styles.table} data-fading={fading} aria-label={t('invoices.title')}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {t(`invoices.columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <Row key={invoice.id} invoice={invoice} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('subscription')
  const [from, to] = [formatDate(invoice.periodStart), formatDate(invoice.periodEnd)]
  const label = (column: (typeof columns)[number]) => t(`invoices.columns.${column}`)
  return (
    <tr>
      <td data-label={label('date')}>{formatDate(invoice.date)}</td>
      <td data-label={label('number')}>
        <bdi dir="ltr">{invoice.number}</bdi>
      </td>
      <td data-label={label('period')}>
        {/* The provider dates the first invoice of a subscription with a single moment. */}
        {from === to ? from : t('invoices.period', { from, to })}
      </td>
      <td data-label={label('amount')}>
        <bdi dir="ltr">{formatMoney(invoice.amountDue, invoice.currency)}</bdi>
      </td>
      <td data-label={label('status')}>
        <span className={styles.status} data-status={invoice.status}>
          {t(`invoices.status.${invoice.status}`)}
        </span>
      </td>
      <td data-label={label('pdf')}>
        {invoice.pdfUrl ? (
          <a
            href={invoice.pdfUrl}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('invoices.open', { number: invoice.number })}
          >
            PDF
          </a>
        ) : (
          <span className={styles.soft}>{t('invoices.noPdf')}</span>
        )}
      </td>
    </tr>
  )
}
