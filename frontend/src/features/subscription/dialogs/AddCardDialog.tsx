import { useTranslation } from 'react-i18next'
import { addCard } from '../api'
import type { DialogProps } from '../dialog-store'
import { sentenceMoney } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import { CardDialog } from './CardDialog'
import styles from './dialogs.module.css'

export default function AddCardDialog({ payment, open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  const due = payment.amountDue
  const amount = sentenceMoney(due, payment.currency)
  const change = usePaymentChange(addCard, {
    done: 'toasts.added',
    detail: () => (due > 0 ? t('toasts.paidNow', { amount }) : undefined),
    onDone: onClose,
  })
  return (
    <CardDialog
      open={open}
      onClose={onClose}
      title={t('addCard.title')}
      purpose={due > 0 ? 'pay' : 'add'}
      pending={change.isPending}
      onToken={(token) => change.mutateAsync({ token, amount: due || null })}
      failed={t('toasts.addFailed')}
    >
      <p className={styles.text}>{due > 0 ? t('addCard.pays', { amount }) : t('addCard.text')}</p>
    </CardDialog>
  )
}
