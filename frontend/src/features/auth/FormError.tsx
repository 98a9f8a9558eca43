import type { ReactNode } from 'react'
import styles from './auth.module.css'

type Props = { children: ReactNode; takesFocus?: boolean }

// Always the same function: a new one would take the focus again with every render, out of the field being mended.
function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

/** What went wrong, in red above the form. Give it a new key for a new failure, and it takes the focus again. */
export function FormError({ children, takesFocus = true }: Props) {
  return (
    <p className={styles.error} role="alert" tabIndex={-1} ref={takesFocus ? takeFocus : undefined}>
      {children}
    </p>
  )
}
