import type { ReactNode } from 'react'
import styles from './auth.module.css'

type Props = { children: ReactNode; takesFocus?: boolean }

/** What went wrong, in red above the form. Give it a new key for a new failure, and it takes the focus again. */
export function FormError({ children, takesFocus = true }: Props) {
  return (
    <p
      className={styles.error}
      role="alert"
      tabIndex={-1}
      ref={(element) => {
        if (takesFocus) element?.focus()
      }}
    >
      {children}
    </p>
  )
}
