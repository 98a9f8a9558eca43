import type { ReactNode } from 'react'
import { CloseIcon } from '../icons/CloseIcon'
import { IconButton } from '../IconButton'
import { Dialog, DialogTitle } from './Dialog'
import styles from './Drawer.module.css'

type Props = {
  onClose: () => void
  title: string
  closeLabel: string
  side: 'start' | 'end'
  children: ReactNode
}

/** A modal panel at the side of the window. */
export function Drawer({ onClose, title, closeLabel, side, children }: Props) {
  return (
    <Dialog onClose={onClose} placement={side}>
      <div className={styles.head}>
        <DialogTitle>{title}</DialogTitle>
        <IconButton label={closeLabel} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      {/* The keyboard has to be able to scroll it, even when nothing in it takes the focus. */}
      <div className={styles.body} tabIndex={0} role="group" aria-label={title}>
        {children}
      </div>
    </Dialog>
  )
}
