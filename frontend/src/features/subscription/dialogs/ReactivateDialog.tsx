import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { reactivateSubscription, type Payment } from '../api'
import type { DialogProps } from '../dialog-store'
import { isEnding, sentenceMoney } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import { CardDialog } from './CardDialog'
import styles from './dialogs.module.css'

/** Names the amount that is charged at once, if any, and sends it for confirmation: the server refuses another one. */
export default function ReactivateDialog(props: DialogProps) {
  return props.payment.cards.length === 0 ? <WithNewCard {...props} /> : <WithDefaultCard {...props} />
}

/** `hasToast`: the failure is shown as a toast, not under the card field. */
function useReactivation({ payment, onClose }: DialogProps, hasToast: boolean) {
  const amount = payment.reactivationAmount
  // A running subscription with a debt is paid, not reactivated.
  const paying = payment.status === 'past_due' && !isEnding(payment) && amount !== null
  const failed = paying ? 'toasts.payFailed' : 'toasts.reactivateFailed'
  const change = usePaymentChange(reactivateSubscription, {
    done: paying ? 'toasts.paid' : 'toasts.reactivated',
    onDone: onClose,
    ...(hasToast ? { failed } : {}),
  })
  return { amount, paying, failed, change }
}

function WithDefaultCard(props: DialogProps) {
  const { payment, open, onClose } = props
  const { t } = useTranslation('subscription')
  const { amount, paying, change } = useReactivation(props, true)
  return (
    <ConfirmDialog
      open={open}
      title={paying ? t('reactivate.payTitle') : t('reactivate.title')}
      confirmLabel={
        paying && amount !== null
          ? t('debt.pay', { amount: sentenceMoney(amount, payment.currency) })
          : t('buttons.reactivate')
      }
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
  const { amount, paying, failed, change } = useReactivation(props, false)
  return (
    <CardDialog
      open={open}
      onClose={onClose}
      title={paying ? t('reactivate.payTitle') : t('reactivate.title')}
      purpose="reactivate"
      pending={change.isPending}
      onToken={(token) => change.mutateAsync({ amount, token })}
      failed={t(failed)}
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
  return (
    <p>
      {card ? t('reactivate.chargeTo', { amount: sum, last4: card.last4 }) : t('reactivate.charge', { amount: sum })}
    </p>
  )
}
