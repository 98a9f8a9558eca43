import type { TFunction } from 'i18next'
import type { RowAction } from '@/components/table/column'
import type { Invite } from '../api'
import type { InviteRowDialog } from './InviteDialogs'

export function inviteActions(
  t: TFunction<'invites'>,
  invite: Invite,
  onOpenDialog: (dialog: InviteRowDialog) => void,
): RowAction[] {
  return [
    {
      id: 'resend',
      label: t('actions.resend'),
      sign: 'resend',
      onSelect: () => onOpenDialog({ kind: 'resend', invite }),
    },
    {
      id: 'cancel',
      label: t('actions.cancel'),
      sign: 'delete',
      destructive: true,
      onSelect: () => onOpenDialog({ kind: 'cancel', invite }),
    },
  ]
}
