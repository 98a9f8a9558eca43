import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { MenuIcon, QuickPanelIcon } from '@/components/icons'
import { Tip } from '@/components/Tip'
import { companyActions } from '../company-actions'
import type { FrameAction } from '../frame-action'
import type { FramePart } from '../use-frame-parts'
import { userActions } from '../user-actions'
import { CompanyBadge } from './CompanyBadge'
import { LanguageMenu } from './LanguageMenu'
import { SearchButton } from './SearchButton'
import { Shortcuts } from './Shortcuts'
import styles from './Toolbar.module.css'
import { UserMenu } from './UserMenu'

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
            className={styles.iconButton}
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
            className={styles.iconButton}
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
