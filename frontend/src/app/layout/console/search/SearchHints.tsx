import { useTranslation } from 'react-i18next'
import styles from './SearchDialog.module.css'

export function SearchHints() {
  const { t } = useTranslation('console')
  return (
    <p className={styles.hints} aria-hidden>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd>
        {t('search.hintMove')}
      </span>
      <span>
        <kbd dir="ltr">Enter</kbd>
        {t('search.hintOpen')}
      </span>
      <span>
        <kbd dir="ltr">Esc</kbd>
        {t('search.hintClose')}
      </span>
    </p>
  )
}
