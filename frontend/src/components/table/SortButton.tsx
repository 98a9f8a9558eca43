import type { SortDirection } from '@tanstack/react-table'
import styles from './table.module.css'

type Props = { label: string; sorted: false | SortDirection; onClick: () => void }

/** A heading that sorts: up, then down, then as the list comes. The cell around it says how it stands. */
export function SortButton({ label, sorted, onClick }: Props) {
  return (
    <button type="button" className={styles.sort} data-sorted={sorted || 'no'} onClick={onClick}>
      {label}
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path
          d="M6 10V2M2.8 5.2 6 2l3.2 3.2"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
        />
      </svg>
    </button>
  )
}
