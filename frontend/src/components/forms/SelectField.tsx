import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './field.module.css'
import { FieldFrame } from './FieldFrame'

type Props = Omit<ComponentProps<'select'>, 'id' | 'className'> & { label: string; hint?: ReactNode }

/** The browser's own list: long ones stay searchable by typing, and phones show their wheel. */
export function SelectField({ label, hint, children, ...select }: Props) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <select id={id} className={styles.input} aria-describedby={hint ? `${id}-below` : undefined} {...select}>
        {children}
      </select>
      <svg className={styles.arrow} width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <path d="M5 8l5 5 5-5" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    </FieldFrame>
  )
}
