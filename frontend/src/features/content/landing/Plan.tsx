import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatMoney } from '@/i18n/format'
import styles from './landing.module.css'
import { Section } from './Section'
import { StartLink } from './StartLink'

const monthlyFee = 750_00
const facts = ['clouds', 'upload', 'storage', 'recovery', 'monitoring', 'encryption'] as const

export function Plan() {
  const { t } = useTranslation('content')
  return (
    <Section title={t('plan.title')} lead={t('plan.lead')}>
      <div className={styles.pair}>
        <div className={`t-card ${styles.card} ${styles.price}`}>
          <h3>
            <bdi>{t('plan.name')}</bdi>
          </h3>
          <p>
            <bdi className={styles.amount} dir="ltr">
              {formatMoney(monthlyFee, 'USD')}
            </bdi>{' '}
            {t('plan.fee')}
          </p>
          <strong>{t('plan.trial')}</strong>
          <StartLink label={t('common:screens.signup')} />
          <p className="t-soft">{t('plan.betaNote')}</p>
          <Link to="/agreement">{t('plan.agreement')}</Link>
        </div>
        <ul className={`t-card ${styles.card} ${styles.tiles}`} aria-label={t('plan.included')}>
          {facts.map((fact) => (
            <li key={fact} className={styles.item}>
              <strong>{t(`plan.${fact}.title`)}</strong>
              <p className={styles.text}>{t(`plan.${fact}.text`)}</p>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}
