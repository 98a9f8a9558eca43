import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { setDefaultCard, type Card } from '../api'
import type { DialogProps } from '../dialog-store'
import { brandName } from '../page/BrandLogo'
import { hasEnded, sentenceMoney } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import styles from './dialogs.module.css'

/** Asks before the unpaid amount is charged: to the default card, or to the given one, which becomes the default. */
export default function PayDialog({ payment, open, onClose, card: given }: DialogProps & { card?: Card }) {
  const { t } = useTranslation('subscription')
  const card = given ?? payment.cards.find(({ id }) => id === payment.defaultCardId) ?? payment.cards[0]
  const amount = sentenceMoney(payment.amountDue, payment.currency)
  const changesDefault = card?.id !== payment.defaultCardId
  const name = { amount, brand: brandName(card?.brand ?? '') ?? t('cards.card'), last4: card?.last4 }
  const change = usePaymentChange(setDefaultCard, {
    done: changesDefault ? 'toasts.defaultChanged' : 'toasts.paid',
    failed: changesDefault ? 'toasts.defaultFailed' : 'toasts.payFailed',
    detail: () => t('toasts.paidWith', name),
    onDone: onClose,
  })
  if (!card) return null
  return (
    <ConfirmDialog
      open={open}
      title={changesDefault ? t('pay.defaultTitle') : t('pay.title')}
      confirmLabel={changesDefault ? t('pay.defaultConfirm', { amount }) : t('debt.pay', { amount })}
      pending={change.isPending}
      onConfirm={() => void change.mutate({ cardId: card.id, amount: payment.amountDue })}
      onClose={onClose}
    >
      <p>
        {t('pay.text', name)} {changesDefault ? t('pay.becomesDefault') : null}
      </p>
      <p className={styles.last}>{hasEnded(payment) ? t('pay.staysEnded') : t('pay.goesOn')}</p>
    </ConfirmDialog>
  )
}
