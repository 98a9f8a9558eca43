import type { Payment } from '../api'
import { BASIC_PLAN } from '../subscription-state'
import { DebtNotice } from './DebtNotice'
import { Invoices } from './Invoices'
import { NoSubscription } from './NoSubscription'
import styles from './page.module.css'
import { PaymentDetails } from './PaymentDetails'
import { PlanCard } from './PlanCard'
import { WarehousesCard } from './WarehousesCard'

export function Overview({ payment }: { payment: Payment }) {
  return (
    <div className={styles.page}>
      <DebtNotice payment={payment} />
      {payment.planId === BASIC_PLAN ? <WarehousesCard payment={payment} /> : null}
      {payment.status === '' ? (
        <NoSubscription payment={payment} />
      ) : (
        <div className={styles.columns}>
          <PlanCard />
          <PaymentDetails payment={payment} />
        </div>
      )}
      <Invoices />
    </div>
  )
}
