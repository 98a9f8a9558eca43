import type { ReactNode } from 'react'
import styles from './BareFrame.module.css'

/** Only the page: no header, menu or footer. */
export function BareFrame({ children }: { children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1} className={styles.main}>
      {children}
    </main>
  )
}
