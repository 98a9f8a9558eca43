import { useTranslation } from 'react-i18next'
import { SearchIcon } from '@/components/icons'
import styles from './Toolbar.module.css'

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

export function SearchButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('console')
  return (
    <button
      type="button"
      className={styles.search}
      onClick={onOpen}
      aria-label={t('search.open')}
      aria-haspopup="dialog"
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
    >
      <SearchIcon />
      <span className={styles.searchText}>{t('search.placeholder')}</span>
      <kbd className={styles.kbd} dir="ltr">
        {isApple ? '⌘ K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}
