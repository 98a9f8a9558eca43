import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '@/components/Button'
import { setOwnWarehouses, type Payment } from '../api'
import { usePaymentChange } from '../use-payment-change'
import styles from './page.module.css'
import { Section } from './Section'

/** Plan 5 starts on the platform's default warehouses; the leader may connect the company's own instead. */
export function WarehousesCard({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const shared = payment.usesDefaultWarehouses
  const change = usePaymentChange(setOwnWarehouses, {
    done: shared ? 'toasts.ownWarehousesOn' : 'toasts.ownWarehousesOff',
    failed: 'toasts.ownWarehousesFailed',
  })
  return (
    <Section title={t('warehouses.title')}>
      <div className={styles.spread}>
        <p className={styles.lead}>
          {shared ? t('warehouses.usesDefault') : t('warehouses.usesOwn')}{' '}
          {shared || !payment.isSubscribed ? null : <Link to="/warehouses">{t('warehouses.open')}</Link>}
        </p>
        <Button
          variant="outlined"
          pending={change.isPending}
          disabledReason={!shared && payment.hasOwnWarehouses ? t('warehouses.inUse') : null}
          onClick={() => change.mutate(shared)}
        >
          {shared ? t('warehouses.connectOwn') : t('warehouses.backToDefault')}
        </Button>
      </div>
    </Section>
  )
}
