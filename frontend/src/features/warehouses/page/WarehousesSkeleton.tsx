import { useTranslation } from 'react-i18next'
import styles from './skeleton.module.css'

/** The page's shape: how things stand, then the rows. */
export function WarehousesSkeleton() {
  const { t } = useTranslation('warehouses')
  return (
    <div className={styles.page} role="status" aria-label={t('loading')}>
      <div className={styles.summary}>
        <div className={styles.lines}>
          <span className={styles.bar} data-of="name" />
          <span className={styles.bar} data-of="headline" />
          <span className={styles.bar} data-of="tiles" />
        </div>
        {[0, 1, 2].map((figure) => (
          <span key={figure} className={styles.figure} />
        ))}
      </div>
      <span className={styles.tools} />
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className={styles.row}>
          <span className={styles.mark} />
          <div className={styles.lines}>
            <span className={styles.bar} data-of="name" />
            <span className={styles.bar} data-of="place" />
          </div>
          <span className={styles.bar} data-of="state" />
          <span className={styles.bar} data-of="strip" />
        </div>
      ))}
    </div>
  )
}
