import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import type { Payment } from '../api'
import { dialogStore } from '../dialog-store'
import { isEnding, planNameKey } from '../subscription-state'
import { AutoRenewSwitch } from './AutoRenewSwitch'
import { BillingLine } from './BillingLine'
import { CardList } from './CardList'
import styles from './page.module.css'
import { Section } from './Section'

export function PaymentDetails({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const ending = isEnding(payment)
  return (
    <Section title={t('details.title')} aside={<AutoRenewSwitch payment={payment} />}>
      <dl className={styles.lines}>
        <BillingLine payment={payment} />
        <div>
          <dt>{t('details.planType')}</dt>
          <dd>
            <bdi>{t(planNameKey(payment.planId))}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('details.status')}</dt>
          <dd>
            <span className={styles.status} data-status={payment.status}>
              {t(`status.${payment.status}`)}
            </span>
          </dd>
        </div>
      </dl>
      <CardList payment={payment} />
      <div className={styles.buttons}>
        <Button onClick={() => dialogStore.show('addCard')}>{t('buttons.addCard')}</Button>
        <Button
          variant="outlined"
          disabledReason={t('buttons.changePlanReason')}
          onClick={() => dialogStore.show('changePlan')}
        >
          {t('buttons.changePlan')}
        </Button>
        <Button variant="outlined" danger={!ending} onClick={() => dialogStore.show(ending ? 'reactivate' : 'cancel')}>
          {ending ? t('buttons.reactivate') : t('buttons.cancel')}
        </Button>
      </div>
    </Section>
  )
}
