import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { Field } from '@/components/forms/Field'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { companyKeys, deleteCompany, type ListedCompany } from '../api'
import styles from './dialogs.module.css'

type Props = { company: ListedCompany; onClose: () => void; onGone: (id: number) => void }

const plain = (text: string) => text.normalize('NFC').trim()

/** The name has to be typed, so that the wrong company is not deleted by accident. */
export function DeleteCompanyDialog({ company: { id, name, memberCount }, onClose, onGone }: Props) {
  const { t } = useTranslation('companies')
  const [typed, setTyped] = useState('')
  const remove = useToastMutation(() => withVerification(() => deleteCompany(id, typed)), {
    success: t('toasts.deleted'),
    failure: t('toasts.deleteFailed'),
    refresh: [companyKeys.all],
    onDone: () => {
      onGone(id)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      destructive
      title={t('delete.title', { name })}
      confirmLabel={t('delete.confirm')}
      pending={remove.isPending}
      disabledReason={plain(typed) === plain(name) ? null : t('delete.typeName')}
      onConfirm={() => void remove.mutate()}
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
    </ConfirmDialog>
  )
}
