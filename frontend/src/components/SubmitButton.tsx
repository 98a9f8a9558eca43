import Button, { type ButtonProps } from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'

type Props = Omit<ButtonProps, 'disabled' | 'loading'> & {
  /** True while the work it started is under way; it cannot be sent a second time then. */
  pending?: boolean
  /** Why the button cannot be used now, in words; without one it can. */
  disabledReason?: string | null | undefined
}

export function SubmitButton({ pending = false, disabledReason, children, ...rest }: Props) {
  const button = (
    <Button
      type="submit"
      variant="contained"
      loading={pending}
      loadingPosition={rest.startIcon ? 'start' : 'center'}
      disabled={Boolean(disabledReason)}
      {...rest}
    >
      {children}
    </Button>
  )
  if (!disabledReason) return button
  // A disabled button takes neither pointer nor focus, so its wrapper shows and speaks the reason.
  return (
    <Tooltip title={disabledReason} describeChild>
      <span tabIndex={0} style={rest.fullWidth ? { display: 'block' } : { display: 'inline-block' }}>
        {button}
      </span>
    </Tooltip>
  )
}
