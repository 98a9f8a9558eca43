import { useTranslation } from 'react-i18next'
import { addCard } from '../api'
import type { DialogProps } from '../dialog-store'
import { usePaymentChange } from '../use-payment-change'
import { CardDialog } from './CardDialog'
import styles from './dialogs.module.css'

export default function AddCardDialog({ open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  const change = usePaymentChange(addCard, { done: 'toasts.added', onDone: onClose })
  return (
    <CardDialog
      open={open}
      onClose={onClose}
      title={t('addCard.title')}
      purpose="add"
      pending={change.isPending}
      onToken={(token) => change.mutateAsync(token)}
      failed={t('toasts.addFailed')}
    >
      <p className={styles.text}>{t('addCard.text')}</p>
    </CardDialog>
  )
}
