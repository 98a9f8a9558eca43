import { useTranslation } from 'react-i18next'
import { Section } from './Section'
import styles from './sight.module.css'

const columns = [
  { id: 'cannot', items: ['files', 'passphrase', 'password', 'keys'], shackle: 'M7 10V7a5 5 0 0 1 10 0v3' },
  { id: 'can', items: ['credentials', 'account', 'activity', 'billing'], shackle: 'M7 10V7a5 5 0 0 1 9.6-2' },
] as const
const limits = ['passphrase', 'weak', 'page', 'replay'] as const

export function Sight() {
  const { t } = useTranslation('content')
  return (
    <Section title={t('sight.title')} lead={t('sight.lead')}>
      <div className={styles.columns}>
        {columns.map((column) => (
          <div key={column.id} className={`${styles.column} ${styles[column.id] ?? ''}`}>
            <h3 className={styles.title}>
              <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
                <rect x="4" y="10" width="16" height="11" rx="3" />
                <path d={column.shackle} />
              </svg>
              {t(`sight.${column.id}.title`)}
            </h3>
            <dl>
              {column.items.map((item) => (
                <div key={item} className={styles.item}>
                  <dt>{t(`sight.${column.id}.${item}.term`)}</dt>
                  <dd>{t(`sight.${column.id}.${item}.text`)}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
        <div className={styles.limits}>
          <h3 className={styles.title}>{t('sight.limits.title')}</h3>
          <ul className={styles.limitList}>
            {limits.map((limit) => (
              <li key={limit}>{t(`sight.limits.${limit}`)}</li>
            ))}
          </ul>
        </div>
      </div>
    </Section>
  )
}
