import type { ComponentProps, ReactNode } from 'react'
import styles from './CheckField.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & { label: ReactNode }

/** A tick and the sentence that it stands for. */
export function CheckField({ label, ...input }: Props) {
  return (
    <label className={styles.check}>
      <input type="checkbox" className={styles.box} {...input} />
      <span>{label}</span>
    </label>
  )
}
