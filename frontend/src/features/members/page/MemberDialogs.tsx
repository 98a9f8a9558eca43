import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionStore } from '@/api/session'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import form from '@/components/forms/form.module.css'
import { companyKeys } from '@/features/companies'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, reassignLeadership, removeMember, setMemberStatus, type CompanyRef, type Member } from '../api'
import membersStyles from './members.module.css'
import styles from './reassign.module.css'

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

type ReassignDialogProps = { member: Member; company: CompanyRef; onClose: () => void }

/** When the team leader does it, their own session ends too. */
function ReassignDialog({ member: { uuid, firstName, lastName }, company, onClose }: ReassignDialogProps) {
  const { t } = useTranslation('members')
  const own = company === null
  const name = `${firstName} ${lastName}`
  const reassign = useToastMutation(() => withVerification(() => reassignLeadership(company, uuid)), {
    success: t('toasts.leaderChanged'),
    failure: t('toasts.leaderFailed'),
    refresh: own ? [] : [memberKeys.all, companyKeys.all],
    onDone: () => {
      onClose()
      if (own) sessionStore.signOut('loggedOut')
    },
  })
  return (
    <ConfirmDialog
      open
      destructive={own}
      title={t('lead.title', { name })}
      confirmLabel={t('lead.confirm')}
      pending={reassign.isPending}
      onConfirm={() => void reassign.mutate()}
      onClose={onClose}
    >
      <ul className={styles.list}>
        <li>{t(own ? 'lead.roleOwn' : 'lead.role', { name })}</li>
        <li>{t(own ? 'lead.logoutOwn' : 'lead.logout')}</li>
        <li>{t('lead.keys')}</li>
      </ul>
      <p className={form.panel}>{t(own ? 'lead.noteOwn' : 'lead.note', { name })}</p>
    </ConfirmDialog>
  )
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
