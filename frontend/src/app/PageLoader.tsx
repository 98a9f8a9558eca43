import { useTranslation } from 'react-i18next'
import styles from './PageLoader.module.css'

/** Appears after a short delay, as most pages load faster. */
export function PageLoader() {
  const { t } = useTranslation()
  return (
    <div className={styles.wait} role="status" data-wait="">
      <span className={styles.tiles} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </span>
      <span className="t-hidden">{t('wait')}</span>
    </div>
  )
}
