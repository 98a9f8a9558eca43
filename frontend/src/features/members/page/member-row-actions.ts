import type { TFunction } from 'i18next'
import type { RowAction, RowSign } from '@/components/table/column'
import { UNKNOWN_LEADER, type Member } from '../api'
import type { MemberDialogKind } from './MemberDialogs'

type Rights = {
  manages: boolean
  leads: boolean
  leaderId: string | typeof UNKNOWN_LEADER
  onOpenDialog: (kind: MemberDialogKind) => void
}

/** The leader cannot be disabled or removed, and leads already. */
export function memberActions(t: TFunction<'members'>, member: Member, rights: Rights): RowAction[] {
  const { manages, leads, leaderId, onOpenDialog } = rights
  const isLeader = member.role === 'teamLeader' || member.uuid === leaderId
  const action = (kind: MemberDialogKind, label: string, sign: RowSign): RowAction => ({
    id: kind,
    label,
    sign,
    onSelect: () => onOpenDialog(kind),
  })
  return [
    ...(manages ? [action('edit', t('actions.edit'), 'edit')] : []),
    ...(manages && !isLeader
      ? [
          member.isActive
            ? action('status', t('actions.disable'), 'disable')
            : action('status', t('actions.enable'), 'enable'),
        ]
      : []),
    ...(leads && leaderId !== UNKNOWN_LEADER && !isLeader && member.isActive
      ? [action('lead', t('actions.lead'), 'lead')]
      : []),
    ...(manages && !isLeader ? [{ ...action('remove', t('actions.remove'), 'delete'), destructive: true }] : []),
  ]
}
