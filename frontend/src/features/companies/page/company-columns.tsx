import type { TFunction } from 'i18next'
import type { Column } from '@/components/table/column'
import { formatDate, formatNumber } from '@/i18n/format'
import type { ListedCompany } from '../api'
import styles from './companies.module.css'

type Handlers = { onSelect: (company: ListedCompany) => void; onToggle: (company: ListedCompany) => void }

export function companyColumns(t: TFunction<'companies'>, { onSelect, onToggle }: Handlers): Column<ListedCompany>[] {
  return [
    {
      id: 'name',
      label: t('columns.name'),
      sortable: true,
      onCard: 'title',
      width: 22,
      cell: (company) => (
        <span className={styles.name}>
          <button type="button" className={styles.link} onClick={() => onSelect(company)}>
            <bdi>{company.name}</bdi>
          </button>
          <bdi dir="ltr" className={styles.soft} title={company.email}>
            {company.email}
          </bdi>
        </span>
      ),
    },
    {
      id: 'phoneNumber',
      label: t('columns.phoneNumber'),
      sortable: true,
      cell: ({ phoneNumber }) => (
        <bdi dir="ltr" className={styles.whole}>
          {phoneNumber}
        </bdi>
      ),
    },
    {
      id: 'place',
      label: t('columns.place'),
      width: 10,
      cell: ({ address: { city, state } }) => (
        <bdi className={styles.whole}>{[city, state].filter(Boolean).join(', ')}</bdi>
      ),
    },
    { id: 'members', label: t('columns.members'), width: 4, cell: ({ memberCount }) => formatNumber(memberCount) },
    {
      id: 'subscription',
      label: t('columns.subscription'),
      width: 8,
      cell: ({ subscriptionState }) => (
        <span className={styles.state} data-state={subscriptionState}>
          {t(`subscription.${subscriptionState}`)}
        </span>
      ),
    },
    {
      id: 'dateCreated',
      label: t('columns.dateCreated'),
      sortable: true,
      width: 9,
      cell: ({ dateCreated }) => <span className={styles.whole}>{formatDate(dateCreated)}</span>,
    },
    {
      id: 'isEnabled',
      label: t('columns.isEnabled'),
      onCard: 'corner',
      width: 4,
      cell: (company) => (
        // It moves when the change has been confirmed and made.
        <button
          type="button"
          role="switch"
          className={styles.switch}
          aria-checked={company.isEnabled}
          aria-label={t('enabled.of', { name: company.name })}
          onClick={() => onToggle(company)}
        />
      ),
    },
  ]
}
