import { lazy } from 'react'
import type { MemberTask } from './member-task'
import { ReassignDialog } from './ReassignDialog'
import { RemoveMemberDialog } from './RemoveMemberDialog'
import { StatusDialog } from './StatusDialog'

// Brings the table of the world's phone numbers along.
const EditMemberDialog = lazy(() => import('../edit/EditMemberDialog'))

type Props = MemberTask & { onClose: () => void }

export default function MemberTasks({ kind, member, company, onClose }: Props) {
  if (kind === 'edit') return <EditMemberDialog member={member} onClose={onClose} />
  if (kind === 'status') return <StatusDialog member={member} onClose={onClose} />
  if (kind === 'remove') return <RemoveMemberDialog member={member} onClose={onClose} />
  return <ReassignDialog member={member} company={company} onClose={onClose} />
}
