import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, removeMember, setMemberStatus, type CompanyRef, type Member } from '../api'
import membersStyles from './members.module.css'
import { ReassignDialog } from './ReassignDialog'

// Loads the table of countries too.
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

type RemoveMemberDialogProps = { member: Member; onClose: () => void }

function RemoveMemberDialog({
  member: { uuid, firstName, lastName, email_address },
  onClose,
}: RemoveMemberDialogProps) {
  const { t } = useTranslation('members')
  const remove = useToastMutation(() => withVerification(() => removeMember(uuid)), {
    success: t('toasts.removed'),
    failure: t('toasts.removeFailed'),
    refresh: [memberKeys.all],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      destructive
      title={t('remove.title', { name: `${firstName} ${lastName}` })}
      confirmLabel={t('remove.confirm')}
      pending={remove.isPending}
      onConfirm={() => void remove.mutate()}
      onClose={onClose}
    >
      <span className={membersStyles.whose}>
        <bdi dir="ltr">{email_address}</bdi>
      </span>
      {t('remove.text')}
    </ConfirmDialog>
  )
}

type StatusDialogProps = { member: Member; onClose: () => void }

function StatusDialog({ member: { uuid, firstName, lastName, isActive }, onClose }: StatusDialogProps) {
  const { t } = useTranslation('members')
  const change = useToastMutation(() => setMemberStatus(uuid, !isActive), {
    success: t('toasts.statusChanged'),
    failure: t('toasts.statusFailed'),
    refresh: [memberKeys.all],
    onDone: onClose,
  })
  const words = isActive ? 'disable' : 'enable'
  return (
    <ConfirmDialog
      open
      title={t(`${words}.title`, { name: `${firstName} ${lastName}` })}
      confirmLabel={t(`${words}.confirm`)}
      destructive={isActive}
      pending={change.isPending}
      onConfirm={() => void change.mutate()}
      onClose={onClose}
    >
      {t(`${words}.text`)}
    </ConfirmDialog>
  )
}
