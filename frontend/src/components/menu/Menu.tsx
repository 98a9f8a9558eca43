import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Icon } from '../icons/create-icon'
import { Tip } from '../Tip'
import styles from './Menu.module.css'

type Props = {
  /** Name of the button. */
  label: string
  /** Name of the menu, where it differs. */
  menuLabel?: string
  /** Of the button. */
  className: string | undefined
  /** Shown on the button. */
  button: ReactNode
  /** Shows the name in a tooltip. */
  hasTip?: boolean
  alignEnd?: boolean
  children: ReactNode
}

/** A button and the menu under it, as the pattern of that name has it: arrows, Home, End and letters walk through the
 *  entries, Escape gives the focus back, Tab goes on. The browser closes it on a press elsewhere. */
export function Menu({
  label,
  menuLabel = label,
  className,
  button,
  hasTip = false,
  alignEnd = false,
  children,
}: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  function close() {
    menu.current?.hidePopover()
    opener.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Tab') return menu.current?.hidePopover()
    if (event.key === 'Escape') close()
    else if (!walk(event)) return
    event.preventDefault()
    // Must not reach what is open around the menu.
    event.stopPropagation()
  }

  return (
    <>
      <Tip text={hasTip && !open ? label : ''}>
        <button
          ref={opener}
          type="button"
          className={className}
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={open}
          popoverTarget={id}
        >
          {button}
        </button>
      </Tip>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={menuLabel}
        className={styles.menu}
        data-align={alignEnd ? 'end' : 'start'}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') firstOf(currentTarget)?.focus({ preventScroll: true })
        }}
        onKeyDown={onKeyDown}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('[role="menuitem"], [role="menuitemradio"]')) close()
        }}
      >
        {open ? children : null}
      </div>
    </>
  )
}

type MenuItemProps = { Icon: Icon; label: string; danger?: boolean | undefined; onClick: () => void }

export function MenuItem({ Icon, label, danger = false, onClick }: MenuItemProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={styles.item} data-danger={danger} onClick={onClick}>
      <Icon />
      <span className={styles.label}>{label}</span>
    </button>
  )
}

type ChoiceProps = {
  /** One of several; otherwise it is switched on and off, and the menu stays open. */
  exclusive?: boolean
  checked: boolean
  lang?: string
  onClick: () => void
  children: ReactNode
}

export function MenuChoice({ exclusive = false, checked, ...props }: ChoiceProps) {
  const role = exclusive ? 'menuitemradio' : 'menuitemcheckbox'
  return <button type="button" role={role} tabIndex={-1} aria-checked={checked} className={styles.item} {...props} />
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}

/** The chosen entry, or the first. */
function firstOf(menu: HTMLElement): HTMLElement | undefined {
  return menu.querySelector<HTMLElement>('[role="menuitemradio"][aria-checked="true"]') ?? itemsOf(menu)[0]
}

function walk(event: KeyboardEvent<HTMLElement>): boolean {
  const items = itemsOf(event.currentTarget)
  const at = items.findIndex((item) => item === document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key] ?? byLetter(event, items, at)
  if (next === undefined) return false
  items.at(next % items.length)?.focus()
  return true
}

function byLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, items: HTMLElement[], at: number) {
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined
  const order = items.map((_, step) => (at + 1 + step) % items.length)
  const starts = (index: number) =>
    items[index]?.textContent.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase())
  return order.find(starts)
}
