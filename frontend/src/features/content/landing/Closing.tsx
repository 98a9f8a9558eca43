import { useTranslation } from 'react-i18next'
import styles from './closing.module.css'
import { StartLink } from './StartLink'

export function Closing() {
  const { t } = useTranslation('content')
  return (
    <section className={styles.closing}>
      <div>
        <h2 className={styles.title}>{t('closing.title')}</h2>
        <p className={styles.text}>{t('closing.text')}</p>
      </div>
      <StartLink label={t('closing.start')} />
    </section>
  )
}
