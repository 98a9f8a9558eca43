import type { KeyboardEvent, ReactNode } from 'react'
import type { MenuAnchor } from './ToolbarMenu'
import styles from './ToolbarMenu.module.css'

type MenuEntriesProps = { label: string; alignEnd: boolean; anchor: MenuAnchor; children: ReactNode }

/** An open menu, as the pattern of that name has it: arrows, Home, End and letters walk through the entries, Escape
 *  gives the focus back, Tab goes on. */
export default function MenuEntries({ label, alignEnd, anchor, children }: MenuEntriesProps) {
  return (
    <div
      ref={begin}
      role="menu"
      aria-label={label}
      className={styles.menu}
      data-align={alignEnd ? 'end' : 'start'}
      onKeyDown={(event) => {
        if (event.key === 'Escape') anchor.close()
        else if (event.key === 'Tab') anchor.leave()
        else if (!walk(event)) return
        // Must not close what is open around the menu.
        event.stopPropagation()
      }}
    >
      {children}
    </div>
  )
}

function entriesOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}

/** Keeps it inside the window and puts the focus on the chosen entry, or the first. */
function begin(menu: HTMLDivElement | null): void {
  if (!menu) return
  const { left, right } = menu.getBoundingClientRect()
  const shift = Math.max(0, 8 - left) - Math.max(0, right - (document.documentElement.clientWidth - 8))
  if (shift !== 0) menu.style.translate = `${shift}px`
  const target = menu.querySelector<HTMLElement>('[role="menuitemradio"][aria-checked="true"]') ?? entriesOf(menu)[0]
  target?.focus({ preventScroll: true })
}

function walk(event: KeyboardEvent<HTMLElement>): boolean {
  const entries = entriesOf(event.currentTarget)
  const at = entries.findIndex((entry) => entry === document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key] ?? byLetter(event, entries, at)
  if (next === undefined) return false
  event.preventDefault()
  entries.at(next % entries.length)?.focus()
  return true
}

function byLetter(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  entries: HTMLElement[],
  at: number,
): number | undefined {
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined
  const order = entries.map((_, step) => (at + 1 + step) % entries.length)
  const starts = (index: number) =>
    entries[index]?.textContent.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase())
  return order.find(starts)
}
