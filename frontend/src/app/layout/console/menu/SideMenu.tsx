import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { FoldIcon } from '@/components/icons/FoldIcon'
import { Tip } from '@/components/Tip'
import { settingsStore, useSettings } from '@/lib/settings'
import { MenuContent } from './MenuContent'
import styles from './SideMenu.module.css'

const HOVER_DELAY_MS = 150

/** The menu beside the content: 280 px, or 64 px folded and opening over the content under the mouse. */
export function SideMenu({ user }: { user: User }) {
  const { t } = useTranslation('console')
  const { folded, menuSide } = useSettings()
  const { peeking, stop, handlers } = useHoverPeek(folded)
  const narrow = folded && !peeking
  const points = folded === (menuSide === 'start') ? 'end' : 'start'
  const foldLabel = t(folded ? 'menu.unfold' : 'menu.fold')

  function toggle() {
    stop()
    settingsStore.update({ folded: !folded })
  }

  return (
    <div className={styles.space} data-folded={folded}>
      <nav
        className={styles.menu}
        aria-label={t('menu.label')}
        data-narrow={narrow}
        data-peeking={peeking}
        data-side={menuSide}
        {...handlers}
      >
        <MenuContent
          user={user}
          narrow={narrow}
          onNavigate={() => undefined}
          foldButton={
            <Tip text={narrow ? foldLabel : ''} beside keyboardOnly>
              <button
                type="button"
                className={`${styles.item} ${styles.fold}`}
                onClick={toggle}
                aria-expanded={!folded}
              >
                <span className={styles.foldIcon} data-points={points}>
                  <FoldIcon />
                </span>
                <span className={`t-ellipsis ${styles.label}`}>{foldLabel}</span>
              </button>
            </Tip>
          }
        />
      </nav>
    </div>
  )
}

/**
 * Opens something while the mouse rests on it. A finger also makes pointer
 * events but never "leaves", so only the mouse counts.
 */
function useHoverPeek(enabled: boolean) {
  const [peeking, setPeeking] = useState(false)
  const timer = useRef<number | undefined>(undefined)

  function stop() {
    window.clearTimeout(timer.current)
    setPeeking(false)
  }

  useEffect(() => () => window.clearTimeout(timer.current), [])

  const open = enabled && peeking
  useEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPeeking(false)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open])

  return {
    peeking: open,
    stop,
    handlers: {
      onPointerEnter(event: PointerEvent) {
        if (!enabled || event.pointerType !== 'mouse') return
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(() => setPeeking(true), HOVER_DELAY_MS)
      },
      onPointerLeave: stop,
    },
  }
}
