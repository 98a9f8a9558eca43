import { useId, useState, type ComponentProps } from 'react'
import { FieldFrame } from '@/components/forms/FieldFrame'
import { Eye } from './Eye'
import styles from './form.module.css'

type Props = Omit<ComponentProps<'textarea'>, 'id' | 'className'> & {
  label: string
  error?: string | undefined
  hint?: string | undefined
}

/** A key of many lines, which a field of one line would join. */
export function KeyField({ label, error, hint, ...area }: Props) {
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <textarea
        id={id}
        className={styles.area}
        data-masked={!shown}
        rows={4}
        aria-invalid={Boolean(error)}
        aria-describedby={error || hint ? `${id}-below` : undefined}
        {...area}
      />
      <Eye label={label} shown={shown} onToggle={() => setShown(!shown)} />
    </FieldFrame>
  )
}
