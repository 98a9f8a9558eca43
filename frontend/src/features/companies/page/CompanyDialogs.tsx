import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { Field } from '@/components/forms/Field'
import { TextAreaField } from '@/components/forms/TextAreaField'
import { companyKeys, deleteCompany, setCompanyStatus, type ListedCompany } from '../api'
import styles from './dialogs.module.css'

export type CompanyDialog = { kind: 'status' | 'delete'; company: ListedCompany }

type Props = { dialog: CompanyDialog; onClose: () => void; onGone: (id: number) => void }

export default function CompanyDialogs({ dialog: { kind, company }, onClose, onGone }: Props) {
  if (kind === 'status') return <StatusDialog company={company} onClose={onClose} />
  return <DeleteDialog company={company} onClose={onClose} onGone={onGone} />
}

const REASON_LENGTH = 500

type StatusDialogProps = { company: ListedCompany; onClose: () => void }

function StatusDialog({ company: { id, name, isEnabled }, onClose }: StatusDialogProps) {
  const { t } = useTranslation('companies')
  const [reason, setReason] = useState('')
  const change = isEnabled ? 'disable' : 'enable'
  return (
    <ConfirmMutation
      destructive={isEnabled}
      title={t(`${change}.title`, { name })}
      confirmLabel={t(`${change}.confirm`)}
      mutate={() => withVerification(() => setCompanyStatus(id, !isEnabled, reason.trim()))}
      success={t('toasts.statusChanged')}
      failure={t('toasts.statusFailed')}
      refresh={[companyKeys.all]}
      onClose={onClose}
    >
      <p className={styles.text}>{t(`${change}.text`)}</p>
      {isEnabled ? (
        <TextAreaField
          label={t('disable.reason')}
          hint={t('disable.reasonHint')}
          maxLength={REASON_LENGTH}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      ) : null}
    </ConfirmMutation>
  )
}

type DeleteDialogProps = StatusDialogProps & { onGone: (id: number) => void }

const plain = (text: string) => text.normalize('NFC').trim()

/** The name has to be typed, so that the wrong company is not deleted by accident. */
function DeleteDialog({ company: { id, name, memberCount }, onClose, onGone }: DeleteDialogProps) {
  const { t } = useTranslation('companies')
  const [typed, setTyped] = useState('')
  return (
    <ConfirmMutation
      destructive
      title={t('delete.title', { name })}
      confirmLabel={t('delete.confirm')}
      disabledReason={plain(typed) === plain(name) ? null : t('delete.typeName')}
      mutate={() => withVerification(() => deleteCompany(id))}
      success={t('toasts.deleted')}
      failure={t('toasts.deleteFailed')}
      refresh={[companyKeys.all]}
      onDone={() => onGone(id)}
      onClose={onClose}
    >
      <p className={styles.text}>{t('delete.text', { count: memberCount })}</p>
      <p className={styles.text}>{t('delete.final')}</p>
      <Field
        label={t('delete.label', { name })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmMutation>
  )
}
