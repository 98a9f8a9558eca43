import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatMoney } from '@/i18n/format'
import styles from './plan.module.css'
import { Section } from './Section'
import { StartLink } from './StartLink'

const monthlyFee = 750_00
const facts = ['clouds', 'upload', 'storage', 'recovery', 'monitoring', 'encryption'] as const

export function Plan() {
  const { t } = useTranslation('content')
  return (
    <Section title={t('plan.title')} lead={t('plan.lead')}>
      <div className={styles.card}>
        <div className={styles.price}>
          <h3 className={styles.name}>
            <bdi>{t('plan.name')}</bdi>
          </h3>
          <p className={styles.fee}>
            <bdi className={styles.amount} dir="ltr">
              {formatMoney(monthlyFee, 'USD')}
            </bdi>
            <span>{t('plan.fee')}</span>
          </p>
          <p className={styles.trial}>{t('plan.trial')}</p>
          <StartLink label={t('common:screens.signup')} />
          <p className={styles.note}>{t('plan.betaNote')}</p>
          <Link className={styles.agreement} to="/agreement">
            {t('plan.agreement')}
          </Link>
        </div>
        <ul className={styles.facts} aria-label={t('plan.included')}>
          {facts.map((fact) => (
            <li key={fact}>
              <strong>{t(`plan.${fact}.title`)}</strong>
              <span>{t(`plan.${fact}.text`)}</span>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}
