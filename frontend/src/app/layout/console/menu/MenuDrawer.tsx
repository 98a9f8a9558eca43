import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import iconButton from '@/components/IconButton.module.css'
import { CloseIcon } from '@/components/icons'
import { useSettings } from '@/lib/settings'
import { MenuContent } from './MenuContent'
import styles from './SideMenu.module.css'

type MenuDrawerProps = { user: User; open: boolean; onClose: () => void }

/** The menu on a phone, in a native dialog: it traps focus and closes on Escape. */
export function MenuDrawer({ user, open, onClose }: MenuDrawerProps) {
  const { t } = useTranslation('console')
  const { menuSide } = useSettings()
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])

  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      data-side={menuSide}
      aria-label={t('menu.label')}
      onClose={() => {
        // Fires asynchronously: by then another drawer may be open.
        if (open) onClose()
      }}
      onClick={(event) => {
        // Only what lies beside the menu belongs to the dialog itself.
        if (event.target === event.currentTarget) onClose()
      }}
    >
      {open && (
        <nav className={styles.drawer} aria-label={t('menu.label')}>
          <button
            type="button"
            className={`${iconButton.round} ${styles.close}`}
            onClick={onClose}
            aria-label={t('menu.close')}
          >
            <CloseIcon />
          </button>
          <MenuContent user={user} onNavigate={onClose} />
        </nav>
      )}
    </dialog>
  )
}
