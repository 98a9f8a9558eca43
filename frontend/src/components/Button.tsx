import { useId, type ComponentProps, type ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import styles from './Button.module.css'
import { Spinner } from './Spinner'
import { Tip } from './Tip'

type Appearance = {
  variant?: 'primary' | 'outlined' | 'text' | 'plain'
  /** `small` within a line of text, `medium` in dialogs and cards, `large` for the actions of a page, `xlarge` for
   *  forms of public pages. */
  size?: 'small' | 'medium' | 'large' | 'xlarge'
  danger?: boolean
  fullWidth?: boolean
  icon?: ReactNode
  className?: string | undefined
  children: ReactNode
}

type Props = Appearance &
  Omit<ComponentProps<'button'>, keyof Appearance> & {
    /** While its work is under way: it cannot be pressed a second time then. */
    pending?: boolean
    /** Why it cannot be used now; null while it can. */
    disabledReason?: string | null | undefined
  }

function classOf({
  variant = 'primary',
  size = 'medium',
  danger,
  fullWidth,
  className,
}: Omit<Appearance, 'children'>): string {
  const names = [
    styles.button,
    styles[size],
    styles[variant],
    danger && styles.danger,
    fullWidth && styles.wide,
    className,
  ]
  return names.filter(Boolean).join(' ')
}

export function Button({ pending = false, disabledReason, disabled = false, children, ...props }: Props) {
  const { variant, size, danger, fullWidth, icon, className, ...rest } = props
  const reasonId = useId()
  const button = (
    <button
      type="button"
      className={classOf({ variant, size, danger, fullWidth, className })}
      disabled={disabled || pending || Boolean(disabledReason)}
      aria-busy={pending}
      {...rest}
    >
      {pending ? <Spinner /> : icon}
      {children}
    </button>
  )
  if (disabledReason === undefined) return button
  // A disabled button takes neither pointer nor focus, so its wrapper shows and speaks the reason. The wrapper stays
  // when the reason goes: the button keeps its place in the document, and with it the focus.
  const blocked = disabledReason ? ({ tabIndex: 0, role: 'group', 'aria-describedby': reasonId } as const) : {}
  return (
    <>
      <Tip text={disabledReason ?? ''} onTap={Boolean(disabledReason)}>
        <span className={fullWidth ? styles.wideWrap : styles.wrap} {...blocked}>
          {button}
        </span>
      </Tip>
      <span id={reasonId} hidden>
        {disabledReason}
      </span>
    </>
  )
}

type LinkButtonProps = Appearance &
  (Omit<LinkProps, keyof Appearance> | (Omit<ComponentProps<'a'>, keyof Appearance> & { href: string }))

/** A link that looks like a button: `to` inside the app, `href` outside. */
export function LinkButton({ children, ...props }: LinkButtonProps) {
  const { variant, size, danger, fullWidth, icon, className, ...rest } = props
  const name = classOf({ variant, size, danger, fullWidth, className })
  const content = (
    <>
      {icon}
      {children}
    </>
  )
  if ('to' in rest) {
    return (
      <Link className={name} {...rest}>
        {content}
      </Link>
    )
  }
  return (
    <a className={name} {...rest}>
      {content}
    </a>
  )
}
