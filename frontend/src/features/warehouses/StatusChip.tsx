import { useTranslation } from 'react-i18next'
import styles from './status.module.css'

export const NOT_CONNECTED = 0
export const CONNECTED = 1
export const ACTIVE = 2

/** From the worst to the best. */
export const STATUSES = [NOT_CONNECTED, CONNECTED, ACTIVE] as const

/** The status as text, with its colour. */
export function StatusChip({ status }: { status: number }) {
  const { t } = useTranslation('warehouses')
  return (
    <span className={styles.chip} data-status={status}>
      <span className={styles.swatch} data-status={status} aria-hidden />
      {t(`status.${status}`)}
    </span>
  )
}
