import type { Invite } from '../api'
import { CancelInviteDialog } from './CancelInviteDialog'
import { ResendDialog } from './ResendDialog'

export type InviteRowDialog = { kind: 'resend' | 'cancel'; invite: Invite }

type Props = InviteRowDialog & { onClose: () => void }

export default function InviteDialogs({ kind, invite, onClose }: Props) {
  return kind === 'resend' ? (
    <ResendDialog invite={invite} onClose={onClose} />
  ) : (
    <CancelInviteDialog invite={invite} onClose={onClose} />
  )
}
