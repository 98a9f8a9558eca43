import type { TFunction } from 'i18next'
import type { RowAction } from '@/components/table/column'
import type { Invite } from '../api/list-invites'

export type InviteTask = { kind: 'resend' | 'cancel'; invite: Invite }

export function inviteActions(t: TFunction<'invites'>, invite: Invite, onTask: (task: InviteTask) => void): RowAction[] {
  return [
    {
      id: 'resend',
      label: t('actions.resend'),
      sign: 'resend',
      onSelect: () => onTask({ kind: 'resend', invite }),
    },
    {
      id: 'cancel',
      label: t('actions.cancel'),
      sign: 'delete',
      destructive: true,
      onSelect: () => onTask({ kind: 'cancel', invite }),
    },
  ]
}
