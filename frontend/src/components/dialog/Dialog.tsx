import MuiDialog from '@mui/material/Dialog'
import { createContext, use, useId, type ComponentProps, type ReactNode } from 'react'
import styles from './Dialog.module.css'
import { MuiProvider } from './MuiProvider'

type Props = {
  open: boolean
  /** Left out while it must not be closed. */
  onClose?: (() => void) | undefined
  /** A dialog without one renders its own `DialogTitle` or has a `label`. */
  title?: ReactNode
  label?: string
  size?: 'small' | 'medium'
  role?: 'alertdialog'
  /** Element that describes it. */
  describedBy?: string
  placement?: 'center' | 'top'
  children: ReactNode
}

const TitleId = createContext('')
const widths = { small: 'xs', medium: 'sm' } as const

/** A modal dialog that keeps the focus inside and gives it back when it closes. Its content unmounts on closing. */
export function Dialog({ open, onClose, title, label, size = 'small', role, describedBy, placement, children }: Props) {
  const titleId = useId()
  return (
    <MuiProvider>
      <MuiDialog
        open={open}
        onClose={onClose}
        maxWidth={widths[size]}
        fullWidth
        {...(role ? { role } : {})}
        {...(describedBy ? { 'aria-describedby': describedBy } : {})}
        {...(label ? {} : { 'aria-labelledby': titleId })}
        slotProps={{
          container: placement === 'top' ? { className: styles.top } : {},
          paper: label ? { 'aria-label': label } : {},
        }}
      >
        <TitleId value={titleId}>
          {title ? <DialogTitle>{title}</DialogTitle> : null}
          {children}
        </TitleId>
      </MuiDialog>
    </MuiProvider>
  )
}

export function DialogTitle(props: Omit<ComponentProps<'h2'>, 'id' | 'className'>) {
  return <h2 id={use(TitleId)} className={styles.title} {...props} />
}

type ContentProps = ComponentProps<'div'> & { muted?: boolean }

export function DialogContent({ className = '', muted = false, ...props }: ContentProps) {
  return <div className={`${styles.content} ${muted ? styles.muted : ''} ${className}`} {...props} />
}

export function DialogActions({ className = '', ...props }: ComponentProps<'div'>) {
  return <div className={`${styles.actions} ${className}`} {...props} />
}
