import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { TextAreaField } from '@/components/forms/TextAreaField'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { companyKeys, setCompanyStatus, type ListedCompany } from '../api'
import { DeleteCompanyDialog } from './DeleteCompanyDialog'
import styles from './dialogs.module.css'

export type CompanyDialog = { kind: 'status' | 'delete'; company: ListedCompany }

type Props = { dialog: CompanyDialog; onClose: () => void; onGone: (id: number) => void }

export default function CompanyDialogs({ dialog: { kind, company }, onClose, onGone }: Props) {
  if (kind === 'status') return <StatusDialog company={company} onClose={onClose} />
  return <DeleteCompanyDialog company={company} onClose={onClose} onGone={onGone} />
}

const REASON_LENGTH = 500

type StatusDialogProps = { company: ListedCompany; onClose: () => void }

function StatusDialog({ company: { id, name, isEnabled }, onClose }: StatusDialogProps) {
  const { t } = useTranslation('companies')
  const [reason, setReason] = useState('')
  const change = useToastMutation(() => withVerification(() => setCompanyStatus(id, !isEnabled, reason.trim())), {
    success: t('toasts.statusChanged'),
    failure: t('toasts.statusFailed'),
    refresh: [companyKeys.all],
    onDone: onClose,
  })
  const words = isEnabled ? 'disable' : 'enable'
  return (
    <ConfirmDialog
      open
      title={t(`${words}.title`, { name })}
      confirmLabel={t(`${words}.confirm`)}
      destructive={isEnabled}
      pending={change.isPending}
      onConfirm={() => void change.mutate()}
      onClose={onClose}
    >
      <p className={styles.text}>{t(`${words}.text`)}</p>
      {isEnabled ? (
        <TextAreaField
          label={t('disable.reason')}
          hint={t('disable.reasonHint')}
          maxLength={REASON_LENGTH}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      ) : null}
    </ConfirmDialog>
  )
}
