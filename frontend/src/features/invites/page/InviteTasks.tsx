import { CancelInviteDialog } from './CancelInviteDialog'
import type { InviteTask } from './invite-row-actions'
import { ResendDialog } from './ResendDialog'

type Props = InviteTask & { onClose: () => void }

export default function InviteTasks({ kind, invite, onClose }: Props) {
  return kind === 'resend' ? (
    <ResendDialog invite={invite} onClose={onClose} />
  ) : (
    <CancelInviteDialog invite={invite} onClose={onClose} />
  )
}
