import type { TFunction } from 'i18next'
import { StateBadge } from '@/components/StateBadge'
import type { Column, FilterField, RowAction } from '@/components/table/column'
import { formatDate } from '@/i18n/format'
import type { Invite } from '../api'
import type { InviteRowDialog } from './InviteDialogs'

export function inviteColumns(t: TFunction<'invites'>): Column<Invite>[] {
  return [
    {
      id: 'email_address',
      label: t('columns.email_address'),
      sortable: true,
      onCard: 'title',
      width: 28,
      cell: ({ email_address }) => <bdi dir="ltr">{email_address}</bdi>,
    },
    {
      id: 'dateCreated',
      label: t('columns.dateCreated'),
      sortable: true,
      cell: ({ dateCreated }) => formatDate(dateCreated),
    },
    {
      id: 'expiresAt',
      label: t('columns.expiresAt'),
      sortable: true,
      cell: ({ expiresAt }) => formatDate(expiresAt),
    },
    {
      id: 'state',
      label: t('columns.state'),
      width: 8,
      cell: ({ state }) => (
        <StateBadge tone={state === 'expired' ? 'warning' : 'success'}>{t(`state.${state}`)}</StateBadge>
      ),
    },
  ]
}

export const inviteFieldNames = ['email_address', 'dateCreated', 'expiresAt', 'state']

export function inviteFields(t: TFunction<'invites'>): FilterField[] {
  const choices = [
    { value: 'open', label: t('state.open') },
    { value: 'expired', label: t('state.expired') },
    { value: 'cancelled', label: t('state.cancelled') },
  ]
  return inviteFieldNames.map((name) => ({
    name,
    label: t(`columns.${name}`),
    ...(name === 'dateCreated' || name === 'expiresAt' ? { kind: 'date' as const } : {}),
    ...(name === 'state' ? { choices } : {}),
  }))
}

export function inviteActions(
  t: TFunction<'invites'>,
  invite: Invite,
  onOpenDialog: (dialog: InviteRowDialog) => void,
): RowAction[] {
  const resend: RowAction = {
    id: 'resend',
    label: t('actions.resend'),
    sign: 'resend',
    onSelect: () => onOpenDialog({ kind: 'resend', invite }),
  }
  if (invite.state === 'cancelled') return [resend]
  return [
    resend,
    {
      id: 'cancel',
      label: t('actions.cancel'),
      sign: 'delete',
      destructive: true,
      onSelect: () => onOpenDialog({ kind: 'cancel', invite }),
    },
  ]
}
