import { createContext, use, useCallback, useId, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import styles from './Dialog.module.css'
import { openDialogs } from './open-dialogs'

type Props = {
  open?: boolean
  /** Left out while it must not be closed. */
  onClose?: (() => void) | undefined
  /** A dialog without one renders its own `DialogTitle` or has a `label`. */
  title?: ReactNode
  label?: string
  size?: 'small' | 'medium'
  role?: 'alertdialog'
  /** Element that describes it. */
  describedBy?: string
  /** `start` and `end` are panels along that side of the window. */
  placement?: 'center' | 'top' | 'start' | 'end'
  /** Off where a stray click would lose a code that was just sent, or a long form. */
  closesOnOutsideClick?: boolean
  children: ReactNode
}

const TitleId = createContext('')

/** A modal `<dialog>`: the rest of the page is inert, and the focus returns to where it was. Its content unmounts on
 *  closing. */
export function Dialog({ open = true, ...props }: Props) {
  return open ? createPortal(<OpenDialog {...props} />, document.body) : null
}

function OpenDialog({ onClose, title, label, size = 'small', placement = 'center', children, ...props }: Props) {
  const { role, describedBy, closesOnOutsideClick = true } = props
  const titleId = useId()
  const pressedOutside = useRef(false)
  const [shown, setShown] = useState(false)
  const show = useCallback((dialog: HTMLDialogElement) => {
    const { documentElement: page } = document
    page.toggleAttribute('data-scrolls', window.innerWidth > page.clientWidth)
    dialog.showModal()
    openDialogs.set([...openDialogs.get(), dialog])
    setShown(true)
    return () => {
      openDialogs.set(openDialogs.get().filter((other) => other !== dialog))
      dialog.close()
    }
  }, [])
  return (
    <dialog
      ref={show}
      className={styles.dialog}
      data-size={size}
      data-placement={placement}
      role={role}
      tabIndex={-1}
      aria-label={label}
      aria-labelledby={label ? undefined : titleId}
      aria-describedby={describedBy}
      {...{ closedby: onClose ? 'closerequest' : 'none' }}
      onCancel={(event) => {
        // A dialog or a file input inside it has been cancelled.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose?.()
      }}
      // The dialog itself is hit only beside its panel. A selection of text that ends there does not close it.
      onPointerDown={({ target, currentTarget }) => {
        pressedOutside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        if (closesOnOutsideClick && pressedOutside.current && target === currentTarget) onClose?.()
      }}
    >
      {/* Rendered when the dialog is open: React's `autoFocus` cannot focus what is hidden. */}
      {shown ? (
        <div className={styles.panel}>
          <TitleId value={titleId}>
            {title ? <DialogTitle>{title}</DialogTitle> : null}
            {children}
          </TitleId>
        </div>
      ) : null}
    </dialog>
  )
}

type TitleProps = Omit<ComponentProps<'h2'>, 'id' | 'className'> & { /** Beside the title. */ aside?: ReactNode }

export function DialogTitle({ aside, ...props }: TitleProps) {
  return (
    <div className={styles.title}>
      <h2 id={use(TitleId)} {...props} />
      {aside}
    </div>
  )
}

type ContentProps = ComponentProps<'div'> & { muted?: boolean }

export function DialogContent({ className = '', muted = false, ...props }: ContentProps) {
  return <div className={`${styles.content} ${muted ? styles.muted : ''} ${className}`} {...props} />
}

export function DialogActions({ className = '', ...props }: ComponentProps<'div'>) {
  return <div className={`${styles.actions} ${className}`} {...props} />
}
