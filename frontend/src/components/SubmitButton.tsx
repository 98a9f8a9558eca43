import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './SubmitButton.module.css'
import { Tip } from './Tip'

type Props = Omit<ComponentProps<'button'>, 'color' | 'disabled'> & {
  variant?: 'contained' | 'outlined' | 'text'
  color?: 'primary' | 'error'
  startIcon?: ReactNode
  fullWidth?: boolean
  /** True while the work it started is under way; it cannot be sent a second time then. */
  pending?: boolean
  /** Why the button cannot be used now, in words; without one it can. */
  disabledReason?: string | null | undefined
}

/** Looks like MUI's, beside which it stands in dialogs, but comes without it: pages use it too. */
export function SubmitButton({ pending = false, disabledReason, children, ...props }: Props) {
  const { variant = 'contained', color = 'primary', startIcon, fullWidth = false, className = '', ...rest } = props
  const reasonId = useId()
  const button = (
    <button
      type="submit"
      className={`${styles.button} ${className}`}
      data-variant={variant}
      data-color={color}
      data-wide={fullWidth}
      disabled={pending || Boolean(disabledReason)}
      aria-busy={pending}
      {...rest}
    >
      {pending ? <span className={styles.spinner} role="progressbar" /> : startIcon}
      {children}
    </button>
  )
  if (!disabledReason) return button
  // A disabled button takes neither pointer nor focus, so its wrapper shows and speaks the reason.
  return (
    <>
      <Tip text={disabledReason}>
        <span className={styles.wrap} data-wide={fullWidth} tabIndex={0} role="group" aria-describedby={reasonId}>
          {button}
        </span>
      </Tip>
      <span id={reasonId} hidden>
        {disabledReason}
      </span>
    </>
  )
}
