import type { ComponentProps } from 'react'
import styles from './IconButton.module.css'

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'type'> & { label: string }

/** A button that shows an icon alone; its label is spoken, and shown while the pointer is over it. */
export function IconButton({ label, className = '', ...props }: Props) {
  return (
    <button type="button" className={`${styles.button} ${className}`} aria-label={label} title={label} {...props} />
  )
}
