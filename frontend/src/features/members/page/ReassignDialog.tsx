import { useTranslation } from 'react-i18next'
import { sessionStore } from '@/api/session'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { companyKeys } from '@/features/companies/api'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, reassignLeadership, type CompanyRef, type Member } from '../api'
import styles from './reassign.module.css'

type Props = { member: Member; company: CompanyRef; onClose: () => void }

/** By the leader it ends the own session: the server has ended it already. */
export function ReassignDialog({ member: { uuid, firstName, lastName }, company, onClose }: Props) {
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
      <p className={styles.note}>{t(own ? 'lead.noteOwn' : 'lead.note', { name })}</p>
    </ConfirmDialog>
  )
}
