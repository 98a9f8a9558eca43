import { useTranslation } from 'react-i18next'
import styles from './page.module.css'

function Bars({ heights }: { heights: number[] }) {
  return heights.map((height, index) => <div key={index} className={styles.bar} style={{ blockSize: height }} />)
}

/** The page's shape: plan beside payment details, invoices below. */
export function SubscriptionSkeleton() {
  const { t } = useTranslation('subscription')
  return (
    <div className={styles.page} role="status" aria-label={t('loading')}>
      <div className={styles.columns}>
        <div className={styles.card}>
          <Bars heights={[24, 44, 20, 20, 20, 20, 20]} />
        </div>
        <div className={styles.card}>
          <Bars heights={[24, 40, 24, 24, 72, 72, 40]} />
        </div>
      </div>
      <div className={styles.card}>
        <Bars heights={[24, 36, 36, 36]} />
      </div>
    </div>
  )
}
