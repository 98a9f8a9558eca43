import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './PublicFooter.module.css'

export function PublicFooter() {
  const { t } = useTranslation()
  return (
    <footer className={styles.footer}>
      <span>
        <bdi dir="ltr">© {new Date().getFullYear()} Tessera</bdi>
      </span>
      <Link to="/agreement" className={styles.link}>
        {t('footer.agreement')}
      </Link>
      <span className={styles.version}>
        {t('footer.version')} <bdi dir="ltr">{__APP_VERSION__}</bdi>
      </span>
    </footer>
  )
}
