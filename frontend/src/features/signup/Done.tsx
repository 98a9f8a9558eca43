import type { ReactNode } from 'react'
import styles from './signup.module.css'

/** A line with a tick in front. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <p className={styles.status} role="status">
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <circle cx="10" cy="10" r="9" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d="M5.8 10.4l2.8 2.8 5.6-6" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
      <span>{children}</span>
    </p>
  )
}
