import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
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

type DialogProps = { member: Member; onClose: () => void }

function RemoveMemberDialog({ member: { uuid, firstName, lastName, email_address }, onClose }: DialogProps) {
  const { t } = useTranslation('members')
  return (
    <ConfirmMutation
      destructive
      title={t('remove.title', { name: `${firstName} ${lastName}` })}
      confirmLabel={t('remove.confirm')}
      mutate={() => withVerification(() => removeMember(uuid))}
      success={t('toasts.removed')}
      failure={t('toasts.removeFailed')}
      refresh={[memberKeys.all]}
      onClose={onClose}
    >
      <span className={membersStyles.whose}>
        <bdi dir="ltr">{email_address}</bdi>
      </span>
      {t('remove.text')}
    </ConfirmMutation>
  )
}

function StatusDialog({ member: { uuid, firstName, lastName, isActive }, onClose }: DialogProps) {
  const { t } = useTranslation('members')
  const change = isActive ? 'disable' : 'enable'
  return (
    <ConfirmMutation
      destructive={isActive}
      title={t(`${change}.title`, { name: `${firstName} ${lastName}` })}
      confirmLabel={t(`actions.${change}`)}
      mutate={() => withVerification(() => setMemberStatus(uuid, !isActive))}
      success={t('toasts.statusChanged')}
      failure={t('toasts.statusFailed')}
      refresh={[memberKeys.all]}
      onClose={onClose}
    >
      {t(`${change}.text`)}
    </ConfirmMutation>
  )
}
