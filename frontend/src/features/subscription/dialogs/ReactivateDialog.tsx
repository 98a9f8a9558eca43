import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { newSetupIntent, reactivateSubscription, type Payment } from '../api'
import { CardFrame } from '../CardFrame'
import type { DialogProps } from '../page/PageDialogs'
import { isEnding, sentenceMoney } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import styles from './dialogs.module.css'

/** Names the sum that is charged at once, if any. The same sum is sent along: another one is refused, and asked anew. */
export default function ReactivateDialog(props: DialogProps) {
  return props.payment.cards.length === 0 ? <WithNewCard {...props} /> : <WithDefaultCard {...props} />
}

/** `hasToast`: the failure is shown as a toast, not under the card field. */
function useReactivation({ payment, onClose }: DialogProps, hasToast: boolean) {
  const amount = payment.reactivationAmount
  // A subscription that runs and only owes something is paid for, not brought back.
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

/** The card is typed into a page of another origin; its own button confirms. */
function WithNewCard(props: DialogProps) {
  const { payment, open, onClose } = props
  const { t } = useTranslation('subscription')
  const { amount, paying, failed, change } = useReactivation(props, false)

  async function reactivate(token: string): Promise<string | null> {
    try {
      await change.mutateAsync({ amount, token })
      return null
    } catch (error) {
      return errorMessage(error, t(failed))
    }
  }

  return (
    <Dialog
      open={open}
      onClose={change.isPending ? undefined : onClose}
      title={paying ? t('reactivate.payTitle') : t('reactivate.title')}
    >
      <DialogContent className={styles.frame}>
        <Charge payment={payment} />
        <p className={styles.text}>{t('reactivate.cardFirst')}</p>
        <CardFrame purpose="reactivate" newIntent={newSetupIntent} onToken={reactivate} />
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose} disabled={change.isPending}>
          {t('actions.close', { ns: 'common' })}
        </Button>
      </DialogActions>
    </Dialog>
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
