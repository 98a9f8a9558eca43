import type { TFunction } from 'i18next'
import { StateBadge } from '@/components/StateBadge'
import { DeleteIcon } from '@/components/icons/DeleteIcon'
import { ResendIcon } from '@/components/icons/ResendIcon'
import type { Column, RowAction } from '@/components/table/column'
import { formatDate } from '@/i18n/format'
import type { Invite } from '../api'
import type { InviteRowDialog } from './InviteDialogs'

const STATES = ['open', 'expired', 'cancelled'] as const

export function inviteColumns(t: TFunction<'invites'>): Column<Invite>[] {
  return [
    {
      id: 'email_address',
      label: t('columns.email_address'),
      sortable: true,
      filter: { kind: 'text' },
      onCard: 'title',
      width: 28,
      cell: ({ email_address }) => <bdi dir="ltr">{email_address}</bdi>,
    },
    {
      id: 'dateCreated',
      label: t('columns.dateCreated'),
      sortable: true,
      filter: { kind: 'date' },
      cell: ({ dateCreated }) => formatDate(dateCreated),
    },
    {
      id: 'expiresAt',
      label: t('columns.expiresAt'),
      sortable: true,
      filter: { kind: 'date' },
      cell: ({ expiresAt }) => formatDate(expiresAt),
    },
    {
      id: 'state',
      label: t('columns.state'),
      filter: { choices: STATES.map((value) => ({ value, label: t(`state.${value}`) })) },
      width: 8,
      cell: ({ state }) => (
        <StateBadge tone={state === 'expired' ? 'warning' : 'success'}>{t(`state.${state}`)}</StateBadge>
      ),
    },
  ]
}

export function inviteActions(
  t: TFunction<'invites'>,
  invite: Invite,
  onOpenDialog: (dialog: InviteRowDialog) => void,
): RowAction[] {
  const resend: RowAction = {
    id: 'resend',
    label: t('actions.resend'),
    Icon: ResendIcon,
    onSelect: () => onOpenDialog({ kind: 'resend', invite }),
  }
  if (invite.state === 'cancelled') return [resend]
  return [
    resend,
    {
      id: 'cancel',
      label: t('cancel.confirm'),
      Icon: DeleteIcon,
      destructive: true,
      onSelect: () => onOpenDialog({ kind: 'cancel', invite }),
    },
  ]
}
