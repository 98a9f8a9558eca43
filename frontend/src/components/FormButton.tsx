import { useId, type ReactNode } from 'react'
import buttons from './button.module.css'
import styles from './FormButton.module.css'

type Props = {
  children: ReactNode
  /** True while the work it started is under way; it cannot be sent a second time then. */
  pending?: boolean
  /** Why the button cannot be used now; without one it can. */
  disabledReason?: string | null
  wide?: boolean
}

/** The submit button of pages without MUI. Like SubmitButton it says what it does and why it is disabled. */
export function FormButton({ children, pending = false, disabledReason = null, wide = true }: Props) {
  const id = useId()
  const blocked = disabledReason !== null && !pending
  return (
    <span
      className={styles.wrap}
      data-wide={wide}
      // A disabled button takes no focus, so its wrapper shows and speaks the reason.
      tabIndex={blocked ? 0 : undefined}
      aria-describedby={blocked ? id : undefined}
    >
      <button
        type="submit"
        className={`${buttons.button} ${buttons.primary} ${styles.button}`}
        disabled={pending || blocked}
        aria-busy={pending}
      >
        {pending ? <span className={styles.spinner} role="progressbar" aria-hidden="true" /> : null}
        {children}
      </button>
      {blocked ? (
        <span id={id} role="tooltip" className={styles.tip}>
          {disabledReason}
        </span>
      ) : null}
    </span>
  )
}
