import { useTranslation } from 'react-i18next'
import styles from './PageLoader.module.css'

/** Shows only after a moment: most pages are there before anybody would notice. */
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
