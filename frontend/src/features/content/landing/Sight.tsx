import { useTranslation } from 'react-i18next'
import styles from './landing.module.css'
import { Section } from './Section'

const columns = [
  { id: 'cannot', items: ['files', 'passphrase', 'password', 'keys'] },
  { id: 'can', items: ['credentials', 'account', 'activity', 'billing'] },
] as const
const limits = ['passphrase', 'weak', 'page', 'replay'] as const

export function Sight() {
  const { t } = useTranslation('content')
  return (
    <Section title={t('sight.title')} lead={t('sight.lead')}>
      <div className={styles.pair}>
        {columns.map(({ id, items }) => (
          <div key={id} className={`t-card ${styles.card}`}>
            <h3>{t(`sight.${id}.title`)}</h3>
            <dl className={styles.tiles}>
              {items.map((item) => (
                <div key={item} className={styles.item}>
                  <dt>{t(`sight.${id}.${item}.term`)}</dt>
                  <dd className={styles.text}>{t(`sight.${id}.${item}.text`)}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
        <div className={`t-card ${styles.card} ${styles.whole}`}>
          <h3>{t('sight.limits.title')}</h3>
          <ul className={`${styles.pair} ${styles.tiles}`}>
            {limits.map((limit) => (
              <li key={limit} className={`${styles.item} ${styles.text}`}>
                {t(`sight.limits.${limit}`)}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Section>
  )
}
