import type { ReactNode } from 'react'
import styles from './StateBadge.module.css'

type Props = { tone: 'success' | 'warning' | 'danger' | 'muted'; children: ReactNode }

/** The state of a table's row. */
export function StateBadge({ tone, children }: Props) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  )
}
