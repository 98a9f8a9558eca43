import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { reactivateSubscription, type Payment } from '../api'
import type { DialogProps } from '../page/PageDialogs'
import { isEnding, sentenceMoney } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'

/** Names the sum that is charged at once, if any. The same sum is sent along: another one is refused, and asked anew. */
export default function ReactivateDialog({ payment, open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  const amount = payment.reactivationAmount
  // A subscription that runs and only owes something is paid for, not brought back.
  const paying = payment.status === 'past_due' && !isEnding(payment) && amount !== null
  const change = usePaymentChange(reactivateSubscription, {
    done: paying ? 'toasts.paid' : 'toasts.reactivated',
    failed: paying ? 'toasts.payFailed' : 'toasts.reactivateFailed',
    onDone: onClose,
  })
  const cardless = amount !== null && payment.cards.length === 0
  return (
    <ConfirmDialog
      open={open}
      title={paying ? t('reactivate.payTitle') : t('reactivate.title')}
      confirmLabel={
        paying ? t('debt.pay', { amount: sentenceMoney(amount, payment.currency) }) : t('buttons.reactivate')
      }
      pending={change.isPending}
      disabledReason={cardless ? t('reactivate.cardFirst') : null}
      onConfirm={() => void change.mutate(amount)}
      onClose={onClose}
    >
      {amount === null ? t('reactivate.free') : <Charge payment={payment} amount={amount} />}
      {cardless ? <p>{t('reactivate.cardFirst')}</p> : null}
    </ConfirmDialog>
  )
}

function Charge({ payment, amount }: { payment: Payment; amount: number }) {
  const { t } = useTranslation('subscription')
  const card = payment.cards.find(({ id }) => id === payment.defaultCardId) ?? payment.cards[0]
  const sum = sentenceMoney(amount, payment.currency)
  return (
    <p>
      {card ? t('reactivate.chargeTo', { amount: sum, last4: card.last4 }) : t('reactivate.charge', { amount: sum })}
    </p>
  )
}
