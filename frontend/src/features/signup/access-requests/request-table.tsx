import type { TFunction } from 'i18next'
import { StateBadge } from '@/components/StateBadge'
import { DisableIcon } from '@/components/icons/DisableIcon'
import { EnableIcon } from '@/components/icons/EnableIcon'
import { ResendIcon } from '@/components/icons/ResendIcon'
import type { Column, RowAction } from '@/components/table/column'
import { formatDate } from '@/i18n/format'
import type { AccessRequest } from './api'
import styles from './requests.module.css'

const states = ['open', 'approved', 'declined', 'used'] as const
const tones = { open: 'warning', approved: 'success', declined: 'muted', used: 'success' } as const

export function requestColumns(t: TFunction<'companies', 'requests'>): Column<AccessRequest>[] {
  return [
    {
      id: 'name',
      label: t('columns.name'),
      filter: { kind: 'text' },
      onCard: 'title',
      width: 24,
      cell: ({ name, emailAddress }) => (
        <span className={styles.name}>
          <bdi>{name}</bdi>
          <bdi dir="ltr" className={styles.soft}>
            {emailAddress}
          </bdi>
        </span>
      ),
    },
    {
      id: 'companyName',
      label: t('columns.companyName'),
      filter: { kind: 'text' },
      cell: ({ companyName }) => <bdi>{companyName}</bdi>,
    },
    {
      id: 'dateCreated',
      label: t('columns.dateCreated'),
      sortable: true,
      filter: { kind: 'date' },
      cell: ({ dateCreated }) => formatDate(dateCreated),
    },
    {
      id: 'state',
      label: t('columns.state'),
      filter: { choices: states.map((value) => ({ value, label: t(`state.${value}`) })) },
      onCard: 'corner',
      width: 8,
      cell: ({ state }) => <StateBadge tone={tones[state]}>{t(`state.${state}`)}</StateBadge>,
    },
  ]
}

type Handlers = { onApprove: () => void; onDecline: () => void }

/** A decision can be changed until a company has been registered with the link. */
export function requestActions(
  t: TFunction<'companies', 'requests'>,
  { state }: AccessRequest,
  { onApprove, onDecline }: Handlers,
): RowAction[] {
  if (state === 'used') return []
  const sent = state === 'approved'
  const approve: RowAction = {
    id: 'approve',
    label: t(sent ? 'actions.resend' : 'actions.approve'),
    Icon: sent ? ResendIcon : EnableIcon,
    onSelect: onApprove,
  }
  if (state === 'declined') return [approve]
  return [
    approve,
    { id: 'decline', label: t('actions.decline'), Icon: DisableIcon, destructive: true, onSelect: onDecline },
  ]
}
