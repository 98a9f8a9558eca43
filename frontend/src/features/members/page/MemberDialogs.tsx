import { lazy } from 'react'
import type { CompanyRef, Member } from '../api'
import { ReassignDialog } from './ReassignDialog'
import { RemoveMemberDialog } from './RemoveMemberDialog'
import { StatusDialog } from './StatusDialog'

// Brings the table of the world's phone numbers along.
const EditMemberDialog = lazy(() => import('../edit/EditMemberDialog'))

export type MemberDialogKind = 'edit' | 'status' | 'remove' | 'lead'
export type MemberDialog = { kind: MemberDialogKind; member: Member; company: CompanyRef }

type Props = MemberDialog & { onClose: () => void }

export default function MemberDialogs({ kind, member, company, onClose }: Props) {
  if (kind === 'edit') return <EditMemberDialog member={member} onClose={onClose} />
  if (kind === 'status') return <StatusDialog member={member} onClose={onClose} />
  if (kind === 'remove') return <RemoveMemberDialog member={member} onClose={onClose} />
  return <ReassignDialog member={member} company={company} onClose={onClose} />
}
