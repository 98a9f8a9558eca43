import { useEffect, useId, useRef, type ReactNode } from 'react'
import styles from './NativeDialog.module.css'

type Props = { title: string; onCancel: () => void; children: ReactNode }

/** A native <dialog>, open while it is rendered: it traps focus, restores it on closing, and closes on Escape. */
export function NativeDialog({ title, onCancel, children }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children}
    </dialog>
  )
}
