import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField } from '@/components/forms/Field'
import { formatMoney } from '@/i18n/format'
import type { StepProps } from '../use-signup'
import { plan } from '../flow'
import styles from '../signup.module.css'
import { StepActions, StepHeading } from '../StepLayout'

const facts = ['clouds', 'upload', 'storage', 'recovery', 'monitoring', 'encryption'] as const

/** Not reached while there is a single plan: see flow.ts. */
export default function PlanStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'subscription'])
  const [chosen, setChosen] = useState(true)
  return (
    <>
      <StepHeading title={t('steps.plan')} text={t('plan.text')} arrived={signup.moved} />
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen) signup.goNext()
        }}
      >
        <div className={styles.plan}>
          <CheckField
            checked={chosen}
            onChange={(event) => setChosen(event.target.checked)}
            label={
              <>
                <strong>{t(`subscription:plans.${plan.id}`)}</strong>{' '}
                <bdi dir="ltr">{formatMoney(plan.cents, plan.currency)}</bdi> {t('subscription:plan.monthlyFee')}
              </>
            }
          />
          <ul>
            {facts.map((fact) => (
              <li key={fact}>
                {t(`subscription:plan.facts.${fact}`, { clouds: plan.clouds, gigabytes: plan.gigabytes })}
              </li>
            ))}
            <li>{t('subscription:plan.facts.trial', { count: plan.trialDays })}</li>
          </ul>
        </div>
        <StepActions onBack={signup.goBack} disabledReason={chosen ? null : t('plan.choose')} />
      </form>
    </>
  )
}
