import type { ReactNode } from 'react'
import styles from './Banner.module.css'

type Props = { label: string; text: ReactNode; action: ReactNode }

/** One sentence above a page, with what can be done about it. */
export function Banner({ label, text, action }: Props) {
  return (
    <aside className={styles.banner} aria-label={label}>
      <p className={styles.text}>{text}</p>
      {action}
    </aside>
  )
}
