import { useTranslation } from 'react-i18next'
import { Tip } from '@/components/Tip'
import { STATUSES } from '../status'
import styles from '../status.module.css'

/** What the colours mean, and at a rest of the mouse what the words mean. */
export function Legend() {
  const { t } = useTranslation('warehouses')
  return (
    <ul className={styles.legend} aria-label={t('legend.label')}>
      {STATUSES.map((status) => (
        <li key={status}>
          <span className={styles.swatch} data-status={status} aria-hidden />
          <Tip text={t(`legend.${status}`)}>
            <span>
              {t(`status.${status}`)}
              <span className="t-hidden">: {t(`legend.${status}`)}</span>
            </span>
          </Tip>
        </li>
      ))}
    </ul>
  )
}
