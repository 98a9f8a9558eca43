import { Suspense, useEffect, useEffectEvent, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { lazyPage } from '@/app/lazy-page'
import type { ScreenIcon } from '../screens'
import styles from './ToolbarMenu.module.css'

const entries = lazyPage(() => import('./MenuEntries'))

type ToolbarMenuProps = {
  anchor: MenuAnchor
  label: string
  alignEnd?: boolean
  /** What opens it. */
  button: ReactNode
  children: ReactNode
}

/** A button and the menu under it. */
export function ToolbarMenu({ anchor, label, alignEnd = false, button, children }: ToolbarMenuProps) {
  const root = useRef<HTMLDivElement>(null)
  const leave = useEffectEvent(anchor.leave)
  const { open } = anchor

  useEffect(() => {
    if (!open) return
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) leave()
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [open])

  return (
    <div
      ref={root}
      className={styles.root}
      // Loaded before it is opened.
      onPointerEnter={() => void entries.preload()}
      onFocus={() => void entries.preload()}
    >
      {button}
      <Suspense fallback={null}>
        {open && (
          <entries.Component label={label} alignEnd={alignEnd} anchor={anchor}>
            {children}
          </entries.Component>
        )}
      </Suspense>
    </div>
  )
}

export type MenuAnchor = ReturnType<typeof useMenuAnchor>

/** Whether a menu is open, and the button that opened it. */
export function useMenuAnchor() {
  const [anchorEl, setAnchorEl] = useState<HTMLElement | null>(null)
  return {
    open: anchorEl !== null,
    /** A second press on the button closes the menu again. */
    show: ({ currentTarget }: MouseEvent<HTMLElement>) => setAnchorEl(anchorEl ? null : currentTarget),
    /** Gives the focus back to the button. */
    close: () => {
      anchorEl?.focus()
      setAnchorEl(null)
    },
    /** The focus is elsewhere already, or on its way. */
    leave: () => setAnchorEl(null),
  }
}

type ActionEntryProps = { Icon: ScreenIcon; label: string; onClick: () => void }

export function ActionEntry({ Icon, label, onClick }: ActionEntryProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={styles.entry} onClick={onClick}>
      <Icon />
      <span className={styles.words}>{label}</span>
    </button>
  )
}
