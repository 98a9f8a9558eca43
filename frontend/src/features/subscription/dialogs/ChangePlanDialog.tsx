import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { formatMoney } from '@/i18n/format'
import { planQuery, switchPlan } from '../api'
import type { DialogProps } from '../dialog-store'
import { BASIC_PLAN, planNameKey } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import styles from './dialogs.module.css'

/** One plan is selectable today; the button that opens this is disabled until there are more. */
export default function ChangePlanDialog({ payment, open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  const [chosen, setChosen] = useState(payment.planId === BASIC_PLAN)
  const { data: plan } = useQuery(planQuery)
  const offer = plan?.onSale.find(({ planId }) => planId === BASIC_PLAN)
  const change = usePaymentChange(switchPlan, {
    done: 'toasts.planChanged',
    failed: 'toasts.planFailed',
    onDone: onClose,
  })
  return (
    <Dialog open={open} onClose={change.isPending ? undefined : onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void change.mutate(BASIC_PLAN)
        }}
      >
        <DialogTitle>{t('changePlan.title')}</DialogTitle>
        <DialogContent>
          <label className={styles.option}>
            <input type="checkbox" checked={chosen} onChange={(event) => setChosen(event.target.checked)} />
            <bdi>{t(planNameKey(BASIC_PLAN))}</bdi>
            {offer ? (
              <span>
                <bdi dir="ltr">{formatMoney(offer.amount, offer.currency)}</bdi> {t('plan.monthlyFee')}
              </span>
            ) : null}
          </label>
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={onClose} disabled={change.isPending}>
            {t('actions.close', { ns: 'common' })}
          </Button>
          <Button type="submit" pending={change.isPending} disabledReason={chosen ? null : t('changePlan.choose')}>
            {t('changePlan.submit')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
