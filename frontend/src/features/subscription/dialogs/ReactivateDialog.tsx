import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { reactivateSubscription, type Payment } from '../api'
import type { DialogProps } from '../dialog-store'
import { sentenceMoney } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import { CardDialog } from './CardDialog'
import styles from './dialogs.module.css'

/** Names the amount that is charged at once, if any, and sends it for confirmation: the server refuses another one. */
export default function ReactivateDialog(props: DialogProps) {
  return props.payment.cards.length === 0 ? <WithNewCard {...props} /> : <WithDefaultCard {...props} />
}

/** `failed`: left out where the failure is shown under the card field. */
function useReactivation({ payment, onClose }: DialogProps, failed?: string) {
  const { t } = useTranslation('subscription')
  const amount = payment.reactivationAmount
  const paid = amount === null ? undefined : t('toasts.paidNow', { amount: sentenceMoney(amount, payment.currency) })
  const change = usePaymentChange(reactivateSubscription, {
    done: 'toasts.reactivated',
    detail: () => paid,
    onDone: onClose,
    ...(failed ? { failed } : {}),
  })
  return { amount, change }
}

function WithDefaultCard(props: DialogProps) {
  const { payment, open, onClose } = props
  const { t } = useTranslation('subscription')
  const { amount, change } = useReactivation(props, 'toasts.reactivateFailed')
  return (
    <ConfirmDialog
      open={open}
      title={t('reactivate.title')}
      confirmLabel={t('buttons.reactivate')}
      pending={change.isPending}
      onConfirm={() => void change.mutate({ amount })}
      onClose={onClose}
    >
      <Charge payment={payment} />
    </ConfirmDialog>
  )
}

/** The button beside the card field confirms. */
function WithNewCard(props: DialogProps) {
  const { payment, open, onClose } = props
  const { t } = useTranslation('subscription')
  const { amount, change } = useReactivation(props)
  return (
    <CardDialog
      open={open}
      onClose={onClose}
      title={t('reactivate.title')}
      purpose="reactivate"
      pending={change.isPending}
      onToken={(token) => change.mutateAsync({ amount, token })}
      failed={t('toasts.reactivateFailed')}
    >
      <Charge payment={payment} />
      <p className={styles.text}>{t('reactivate.cardFirst')}</p>
    </CardDialog>
  )
}

function Charge({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const amount = payment.reactivationAmount
  if (amount === null) return <p>{t('reactivate.free')}</p>
  const card = payment.cards.find(({ id }) => id === payment.defaultCardId) ?? payment.cards[0]
  const sum = sentenceMoney(amount, payment.currency)
  const parts = {
    debt: sentenceMoney(payment.amountDue, payment.currency),
    price: sentenceMoney(amount - payment.amountDue, payment.currency),
  }
  return (
    <p>
      {payment.amountDue > 0 && amount > payment.amountDue ? t('reactivate.parts', parts) : null}{' '}
      {card ? t('reactivate.chargeTo', { amount: sum, last4: card.last4 }) : t('reactivate.charge', { amount: sum })}
    </p>
  )
}
