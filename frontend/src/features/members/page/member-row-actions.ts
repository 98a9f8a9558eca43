import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import DeleteOutlined from '@mui/icons-material/DeleteOutlined'
import EditOutlined from '@mui/icons-material/EditOutlined'
import ManageAccountsOutlined from '@mui/icons-material/ManageAccountsOutlined'
import type { TFunction } from 'i18next'
import type { RowAction } from '@/components/table/column'
import { UNKNOWN_LEADER } from '../api/get-team-leader'
import type { Member } from '../api/list-members'
import type { MemberTaskKind } from './member-task'

type Rights = {
  manages: boolean
  leads: boolean
  leaderId: string | typeof UNKNOWN_LEADER
  onTask: (kind: MemberTaskKind) => void
}

/** The leader cannot be disabled or removed, and leads already. */
export function memberActions(t: TFunction<'members'>, member: Member, rights: Rights): RowAction[] {
  const { manages, leads, leaderId, onTask } = rights
  const isLeader = member.role === 'teamLeader' || member.uuid === leaderId
  const action = (kind: MemberTaskKind, label: string, Icon: NonNullable<RowAction['Icon']>): RowAction => ({
    id: kind,
    label,
    Icon,
    onSelect: () => onTask(kind),
  })
  return [
    ...(manages ? [action('edit', t('actions.edit'), EditOutlined)] : []),
    ...(manages && !isLeader
      ? [
          member.isActive
            ? action('status', t('actions.disable'), BlockOutlined)
            : action('status', t('actions.enable'), CheckCircleOutlined),
        ]
      : []),
    ...(leads && leaderId !== UNKNOWN_LEADER && !isLeader && member.isActive
      ? [action('lead', t('actions.lead'), ManageAccountsOutlined)]
      : []),
    ...(manages && !isLeader ? [{ ...action('remove', t('actions.remove'), DeleteOutlined), destructive: true }] : []),
  ]
}
