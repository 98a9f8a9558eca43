import MuiDrawer from '@mui/material/Drawer'
import { useId, type ReactNode } from 'react'
import { CloseIcon } from '../icons'
import styles from './Drawer.module.css'
import { MuiProvider } from './MuiProvider'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  closeLabel: string
  /** In a page written from left to right; mirrored otherwise. */
  side?: 'left' | 'right'
  width?: number
  children: ReactNode
}

/** A modal panel at the side of the window. */
export function Drawer({ open, onClose, title, closeLabel, side = 'right', width = 360, children }: Props) {
  const titleId = useId()
  return (
    <MuiProvider>
      <MuiDrawer
        open={open}
        onClose={onClose}
        anchor={side}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-modal': true,
            'aria-labelledby': titleId,
            sx: { width: `min(${width}px, 92vw)` },
          },
        }}
      >
        <div className={styles.head}>
          <h2 className={styles.title} id={titleId}>
            {title}
          </h2>
          <button type="button" className={styles.close} onClick={onClose} aria-label={closeLabel}>
            <CloseIcon />
          </button>
        </div>
        {/* The keyboard has to be able to scroll it, even when nothing in it takes the focus. */}
        <div className={styles.body} tabIndex={0} role="group" aria-labelledby={titleId}>
          {children}
        </div>
      </MuiDrawer>
    </MuiProvider>
  )
}
