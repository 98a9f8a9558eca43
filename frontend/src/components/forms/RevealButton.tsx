import styles from './field.module.css'

type Props = { label: string; shown: boolean; onToggle: () => void }

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.7, strokeLinecap: 'round' } as const

/** The eye at the end of a secret field. */
export function RevealButton({ label, shown, onToggle }: Props) {
  return (
    <button
      type="button"
      className={styles.eye}
      aria-label={label}
      aria-pressed={shown}
      // The field keeps the focus and the position of the cursor.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
    >
      <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" {...stroke} />
        <circle cx="12" cy="12" r="3" {...stroke} />
        {shown ? <path d="M4 20 20 4" {...stroke} /> : null}
      </svg>
    </button>
  )
}
