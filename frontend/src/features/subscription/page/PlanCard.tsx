import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { SectionCard } from '@/components/SectionCard'
import { formatMoney } from '@/i18n/format'
import { planQuery, type Plan } from '../api'
import { planNameKey } from '../subscription-state'
import { Bars } from './Bars'
import styles from './page.module.css'

/** The facts that hold for the plan, as keys of the texts. */
function factsOf({ facts }: Plan): string[] {
  return [
    facts.activeClouds > 0 && 'clouds',
    facts.uploadGbPerMonth > 0 && 'upload',
    facts.redundantStorage && 'storage',
    facts.lostFileRecovery && 'recovery',
    facts.statusMonitoring && 'monitoring',
    facts.zeroKnowledge && 'encryption',
  ].filter((fact) => fact !== false)
}

export function PlanCard() {
  const { t } = useTranslation('subscription')
  const { data: plan, error, refetch } = useQuery(planQuery)
  return (
    <SectionCard title={t('plan.title')}>
      {plan ? <PlanFacts plan={plan} /> : null}
      {!plan && error ? (
        <ErrorState heading="h3" text={loadErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!plan && !error ? (
        <div role="status" aria-label={t('loading')} className={styles.bars}>
          <Bars heights={[44, 20, 20, 20, 20]} />
        </div>
      ) : null}
    </SectionCard>
  )
}

function PlanFacts({ plan }: { plan: Plan }) {
  const { t } = useTranslation('subscription')
  const { planId, amount, currency, interval, trialDays } = plan.plan
  return (
    <>
      <p className={styles.planName}>
        <bdi>{t(planNameKey(planId))}</bdi>
      </p>
      <p className={styles.price}>
        <bdi dir="ltr" className={styles.amount}>
          {formatMoney(amount, currency)}
        </bdi>
        <span>{t(interval === 'year' ? 'plan.yearlyFee' : 'plan.monthlyFee')}</span>
      </p>
      <ul className={styles.facts}>
        {factsOf(plan).map((fact) => (
          <li key={fact}>
            {t(`plan.facts.${fact}`, { clouds: plan.facts.activeClouds, gigabytes: plan.facts.uploadGbPerMonth })}
          </li>
        ))}
        {trialDays > 0 ? <li>{t('plan.facts.trial', { count: trialDays })}</li> : null}
      </ul>
    </>
  )
}
