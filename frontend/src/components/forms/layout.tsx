import type { ComponentProps, ReactNode } from 'react'
import styles from './form.module.css'

type Classes = (string | false | undefined)[]
const join = (...names: Classes) => names.filter(Boolean).join(' ')

/** What stands below one another in a dialog or, with `page`, on a page, where there is no form. */
export function Stack({ page = false, ...props }: ComponentProps<'div'> & { page?: boolean }) {
  return <div className={join(styles.stack, page && styles.page)} {...props} />
}

/** The first words of a dialog. */
export function Lead(props: ComponentProps<'p'>) {
  return <p className={styles.lead} {...props} />
}

export function Line(props: ComponentProps<'p'>) {
  return <p className={styles.line} {...props} />
}

export function Status(props: ComponentProps<'p'>) {
  return <p className={styles.status} {...props} />
}

/** Words that must not be overlooked. With a `tone` they tell a result. */
export function Panel({ className, tone, ...props }: ComponentProps<'div'> & { tone?: 'success' | 'danger' }) {
  return <div className={join(styles.panel, className)} data-tone={tone} {...props} />
}

/** Controls at both ends of a line. */
export function Row(props: ComponentProps<'div'>) {
  return <div className={styles.row} {...props} />
}

/** Two fields side by side where there is room. */
export function Pair(props: ComponentProps<'div'>) {
  return <div className={styles.pair} {...props} />
}

/** Buttons at the end of a dialog. */
export function Actions(props: ComponentProps<'div'>) {
  return <div className={styles.actions} {...props} />
}

// Always the same function: a new one would take the focus again with every render, out of the field being corrected.
function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

type ErrorProps = { className?: string; role?: 'status'; takesFocus?: boolean; children: ReactNode }

/** An error message above a form. With a new key it takes the focus again. */
export function FormError({ className, role, takesFocus = true, children }: ErrorProps) {
  return (
    <p
      className={join(styles.error, className)}
      role={role ?? 'alert'}
      tabIndex={-1}
      ref={takesFocus ? takeFocus : undefined}
    >
      {children}
    </p>
  )
}
