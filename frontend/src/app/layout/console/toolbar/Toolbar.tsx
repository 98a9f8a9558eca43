import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import iconButton from '@/components/IconButton.module.css'
import { MenuIcon } from '@/components/icons/MenuIcon'
import { QuickPanelIcon } from '@/components/icons/QuickPanelIcon'
import { SearchIcon } from '@/components/icons/SearchIcon'
import { Tip } from '@/components/Tip'
import { companyActions, userActions, type FrameAction } from '../frame-actions'
import type { FramePart } from '../use-frame-parts'
import { CompanyBadge } from './CompanyBadge'
import { LanguageMenu } from './LanguageMenu'
import { Shortcuts } from './Shortcuts'
import styles from './Toolbar.module.css'
import { UserMenu } from './UserMenu'

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

type ToolbarProps = {
  user: User
  /** On a phone the menu hides behind a button. */
  burger: boolean
  onOpen: (part: FramePart) => void
  onAction: (action: FrameAction) => void
  onLogout: () => void
}

export function Toolbar({ user, burger, onOpen, onAction, onLogout }: ToolbarProps) {
  const { t } = useTranslation('console')
  return (
    <header className={styles.bar}>
      <div className={styles.row}>
        {burger && (
          <button
            type="button"
            className={`${iconButton.round} ${styles.iconButton}`}
            onClick={() => onOpen('menu')}
            aria-label={t('menu.open')}
            aria-haspopup="dialog"
          >
            <MenuIcon />
          </button>
        )}
        <SearchButton onOpen={() => onOpen('search')} />
        <Shortcuts user={user} />
        <span className={styles.gap} />
        <CompanyBadge user={user} actions={companyActions} onAction={onAction} />
        <LanguageMenu />
        <Tip text={t('quickPanel.title')}>
          <button
            type="button"
            className={`${iconButton.round} ${styles.iconButton}`}
            onClick={() => onOpen('quick')}
            aria-haspopup="dialog"
            aria-label={t('quickPanel.title')}
          >
            <QuickPanelIcon />
          </button>
        </Tip>
        <UserMenu
          user={user}
          actions={userActions}
          onAction={onAction}
          onOpenSettings={() => onOpen('settings')}
          onLogout={onLogout}
        />
      </div>
    </header>
  )
}

function SearchButton({ onOpen }: { onOpen: () => void }) {
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
      <span className={`t-ellipsis ${styles.searchText}`}>{t('search.placeholder')}</span>
      <kbd className={styles.kbd} dir="ltr">
        {isApple ? '⌘ K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}
