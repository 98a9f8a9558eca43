import { useId, type ComponentProps, type ReactNode } from 'react'
import { FieldFrame } from './Field'
import styles from './TextAreaField.module.css'

type Props = Omit<ComponentProps<'textarea'>, 'id' | 'className'> & {
  label: string
  error?: string | undefined
  hint?: ReactNode
}

/** A text of several lines. */
export function TextAreaField({ label, error, hint, ...area }: Props) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <textarea
        id={id}
        className={styles.area}
        rows={2}
        dir="auto"
        aria-invalid={Boolean(error)}
        aria-describedby={error || hint ? `${id}-below` : undefined}
        {...area}
      />
    </FieldFrame>
  )
}
