import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { DeleteIcon } from '@/components/icons/DeleteIcon'
import { GroupIcon } from '@/components/icons/GroupIcon'
import { InfoIcon } from '@/components/icons/InfoIcon'
import { StateBadge } from '@/components/StateBadge'
import type { Column, FilterField, RowAction } from '@/components/table/column'
import { formatDate, formatNumber } from '@/i18n/format'
import type { ListedCompany } from '../api'
import styles from './companies.module.css'
import type { CompanyDialog } from './CompanyDialogs'

const subscriptionStates: readonly ListedCompany['subscriptionState'][] = [
  'trialing',
  'active',
  'pastDue',
  'deactivated',
  'ended',
  'none',
]

const tones: Record<string, 'success' | 'danger'> = { active: 'success', deactivated: 'danger' }

type Handlers = { pathOf: (company: ListedCompany) => string; onToggle: (company: ListedCompany) => void }

export function companyColumns(t: TFunction<'companies'>, { pathOf, onToggle }: Handlers): Column<ListedCompany>[] {
  return [
    {
      id: 'name',
      label: t('columns.name'),
      sortable: true,
      filter: { kind: 'text' },
      onCard: 'title',
      width: 22,
      cell: (company) => (
        <span className={styles.name}>
          <Link className={styles.link} to={pathOf(company)}>
            <bdi>{company.name}</bdi>
          </Link>
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
      filter: { kind: 'text' },
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
    {
      id: 'memberCount',
      label: t('columns.memberCount'),
      sortable: true,
      filter: { kind: 'number' },
      width: 4,
      cell: ({ memberCount }) => formatNumber(memberCount),
    },
    {
      id: 'subscriptionState',
      label: t('columns.subscriptionState'),
      sortable: true,
      filter: { choices: subscriptionStates.map((value) => ({ value, label: t(`subscription.${value}`) })) },
      width: 8,
      cell: ({ subscriptionState }) => (
        <StateBadge tone={tones[subscriptionState] ?? 'muted'}>{t(`subscription.${subscriptionState}`)}</StateBadge>
      ),
    },
    {
      id: 'dateCreated',
      label: t('columns.dateCreated'),
      sortable: true,
      filter: { kind: 'date' },
      width: 9,
      cell: ({ dateCreated }) => <span className={styles.whole}>{formatDate(dateCreated)}</span>,
    },
    {
      id: 'isEnabled',
      label: t('totals.enabled'),
      filter: {
        choices: [
          { value: 'true', label: t('totals.enabled') },
          { value: 'false', label: t('totals.disabled') },
        ],
      },
      onCard: 'corner',
      width: 4,
      cell: (company) => (
        // The switch moves once the change is confirmed and saved.
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

/** Shown within other columns, or not at all. */
export function otherFields(t: TFunction<'companies'>): FilterField[] {
  return ['email', 'city', 'state'].map((name) => ({ name, label: t(`columns.${name}`) }))
}

type RowHandlers = {
  onOpen: (company: ListedCompany) => void
  onShowMembers: (company: ListedCompany) => void
  onOpenDialog: (dialog: CompanyDialog) => void
}

export function companyActions(t: TFunction<'companies'>, company: ListedCompany, handlers: RowHandlers): RowAction[] {
  const { onOpen, onShowMembers, onOpenDialog } = handlers
  return [
    { id: 'detail', label: t('actions.detail'), Icon: InfoIcon, onSelect: () => onOpen(company) },
    { id: 'members', label: t('actions.members'), Icon: GroupIcon, onSelect: () => onShowMembers(company) },
    {
      id: 'delete',
      label: t('actions.delete'),
      Icon: DeleteIcon,
      destructive: true,
      onSelect: () => onOpenDialog({ kind: 'delete', company }),
    },
  ]
}
