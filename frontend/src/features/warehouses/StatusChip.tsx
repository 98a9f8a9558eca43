import { useTranslation } from 'react-i18next'
import styles from './status.module.css'

/** The state in words; its colour comes along. */
export function StatusChip({ status }: { status: number }) {
  const { t } = useTranslation('warehouses')
  return (
    <span className={styles.chip} data-status={status}>
      <span className={styles.swatch} data-status={status} aria-hidden />
      {t(`status.${status}`)}
    </span>
  )
}
