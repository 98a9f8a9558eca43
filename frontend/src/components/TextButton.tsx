import type { ComponentProps } from 'react'
import buttons from './button.module.css'
import styles from './TextButton.module.css'

/** A lesser action beside the main one. */
export function TextButton(props: Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return <button type="button" className={`${buttons.button} ${styles.text}`} {...props} />
}
