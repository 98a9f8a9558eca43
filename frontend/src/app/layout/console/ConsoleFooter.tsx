import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { currentLanguage } from '@/i18n/i18n'
import { LANGUAGE_NAMES } from '@/i18n/languages'
import styles from './ConsoleFrame.module.css'
import { useConfig } from './use-config'

export function ConsoleFooter() {
  const { t } = useTranslation('console')
  const config = useConfig()
  return (
    <footer className={styles.footer} data-chat={Boolean(config?.chatUrl)}>
      {config && <bdi dir="ltr">Tessera {config.version}</bdi>}
      <Link to="/agreement">{t('footer.agreement')}</Link>
      <span className={styles.language}>{LANGUAGE_NAMES[currentLanguage()]}</span>
    </footer>
  )
}
