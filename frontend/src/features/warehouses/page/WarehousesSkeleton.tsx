import { useTranslation } from 'react-i18next'
import styles from './warehouses.module.css'

/** The page's shape: how things stand, then the rows. */
export function WarehousesSkeleton() {
  const { t } = useTranslation('warehouses')
  return (
    <div className={styles.page} role="status" aria-label={t('loading')}>
      <div className={styles.wait} data-part="summary" />
      <div className={styles.wait} data-part="tools" />
      <div className={styles.list}>
        {[0, 1, 2, 3].map((row) => (
          <div key={row} className={styles.wait} data-part="row" />
        ))}
      </div>
    </div>
  )
}
