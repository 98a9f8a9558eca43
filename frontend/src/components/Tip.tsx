import { useEffect, useRef, useState, type ReactNode } from 'react'
import styles from './Tip.module.css'

const REST_MS = 300
const EDGE = 8

type Props = {
  /** No tooltip while it is empty. */
  text: string
  /** For the keyboard only. */
  keyboardOnly?: boolean
  beside?: boolean
  /** A tap opens it too: for a control that does nothing else when it is tapped. */
  onTap?: boolean
  children: ReactNode
}

function place(tip: HTMLElement, anchor: DOMRect, beside: boolean): void {
  const { width, height } = tip.getBoundingClientRect()
  const { innerWidth, innerHeight } = window
  const right = anchor.right + width <= innerWidth - EDGE ? anchor.right : anchor.left - width
  const middle = Math.max(EDGE, Math.min(anchor.left + (anchor.width - width) / 2, innerWidth - width - EDGE))
  const below = anchor.bottom + height <= innerHeight - EDGE ? anchor.bottom : anchor.top - height
  tip.style.left = `${beside ? right : middle}px`
  tip.style.top = `${beside ? anchor.top + (anchor.height - height) / 2 : below}px`
}

/** The words for a control that shows only a sign. Screen readers have them from the control itself: its name or
 *  its description must say the same. It opens under the resting mouse and the keyboard's focus, stays while one
 *  points at it, and goes with Escape or a tap elsewhere. */
export function Tip({ text, keyboardOnly = false, beside = false, onTap = false, children }: Props) {
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<number | undefined>(undefined)
  const [open, setOpen] = useState(false)

  function close() {
    window.clearTimeout(timer.current)
    setOpen(false)
  }

  useEffect(() => () => window.clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // The dialog it stands in stays open.
      event.preventDefault()
      setOpen(false)
    }
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!anchor.current?.contains(target as Node)) setOpen(false)
    }
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('pointerdown', onPointerDown)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('pointerdown', onPointerDown)
    }
  }, [open])

  return (
    <span
      ref={anchor}
      className={styles.anchor}
      onPointerEnter={({ pointerType }) => {
        if (keyboardOnly || pointerType === 'touch') return
        timer.current = window.setTimeout(() => setOpen(true), REST_MS)
      }}
      onPointerLeave={({ pointerType }) => {
        if (pointerType !== 'touch') close()
      }}
      onPointerDown={close}
      onClick={() => {
        if (onTap) setOpen(true)
      }}
      onFocus={({ target }) => {
        if (target.matches(':focus-visible')) setOpen(true)
      }}
      onBlur={close}
    >
      {children}
      {open && text ? (
        // A popover stands above everything, a dialog too, and belongs to the dialog it stands in.
        <span
          popover="manual"
          role="tooltip"
          aria-hidden
          className={styles.tip}
          ref={(tip) => {
            const control = anchor.current?.firstElementChild
            if (!tip || !control) return
            tip.showPopover()
            place(tip, control.getBoundingClientRect(), beside)
          }}
        >
          <span className={styles.words}>{text}</span>
        </span>
      ) : null}
    </span>
  )
}
