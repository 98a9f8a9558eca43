import { useTranslation } from 'react-i18next'
import styles from './SkipLink.module.css'

export function SkipLink() {
  const { t } = useTranslation()
  return (
    <a
      className={styles.skip}
      href="#content"
      onClick={(event) => {
        event.preventDefault()
        const main = document.querySelector('main')
        if (!main) return
        main.tabIndex = -1
        main.focus()
      }}
    >
      {t('skipToContent')}
    </a>
  )
}
