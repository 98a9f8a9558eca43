import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { formatNumber } from '@/i18n/format'
import styles from './Tabs.module.css'

type Tab<Id extends string> = { id: Id; label: string; total?: number | undefined }

type Props<Id extends string> = {
  label: string
  tabs: readonly Tab<Id>[]
  current: Id
  onChange: (id: Id) => void
  /** The panel of the current tab. */
  children: ReactNode
}

/** Tabs with one panel; the arrow keys move between them. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: Props<Id>) {
  const id = useId()

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const last = tabs.length - 1
    const index = tabs.findIndex((tab) => tab.id === current)
    const forwards = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const targets: Record<string, number> = {
      ArrowLeft: index === 0 ? last : index - 1,
      ArrowRight: index === 0 ? last : index - 1,
      [forwards]: index === last ? 0 : index + 1,
      Home: 0,
      End: last,
    }
    const next = tabs[targets[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }

  return (
    <>
      <div className={styles.tabs} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={tab.id === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}{' '}
            {tab.total === undefined ? null : <span className={styles.total}>{formatNumber(tab.total)}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  )
}
