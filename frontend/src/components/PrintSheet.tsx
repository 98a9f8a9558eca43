import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import styles from './PrintSheet.module.css'

/** What the printer gets instead of the page while this is mounted; invisible on the screen. */
export function PrintSheet({ title, children }: { title: string; children: ReactNode }) {
  return createPortal(
    <article className={styles.sheet} aria-hidden>
      <h1>{title}</h1>
      {children}
    </article>,
    document.body,
  )
}
