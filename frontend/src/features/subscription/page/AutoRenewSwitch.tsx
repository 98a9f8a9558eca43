import { useTranslation } from 'react-i18next'
import { setAutoRenew, type Payment } from '../api'
import { hasEnded } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import styles from './page.module.css'

export function AutoRenewSwitch({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const change = usePaymentChange(setAutoRenew, { done: 'toasts.changed', failed: 'toasts.changeFailed' })
  const ended = hasEnded(payment)
  return (
    <label className={styles.switch} title={ended ? t('details.autoRenewEnded') : undefined}>
      <span>{t('details.autoRenew')}</span>
      <input
        type="checkbox"
        role="switch"
        // While it is being sent the switch stands where it was put, and cannot be moved again.
        checked={change.isPending ? change.variables : payment.autoRenew}
        disabled={ended || change.isPending}
        aria-busy={change.isPending}
        onChange={(event) => change.mutate(event.target.checked)}
      />
    </label>
  )
}
