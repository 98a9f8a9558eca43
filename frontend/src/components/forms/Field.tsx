import { useEffect, useId, type ComponentProps, type ReactNode } from 'react'
import { replayTyping } from '@/lib/hydration-replay'
import styles from './field.module.css'
import { FieldFrame } from './FieldFrame'

export type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string
  error?: string | undefined
  hint?: ReactNode
  end?: ReactNode
}

export function Field({ label, error, hint, end, ...input }: FieldProps) {
  const id = useId()
  useEffect(() => {
    replayTyping(document.getElementById(id))
  }, [id])
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <input
        id={id}
        className={styles.input}
        aria-invalid={Boolean(error)}
        aria-describedby={error || hint ? `${id}-below` : undefined}
        // A street of another script than the page's is not turned round: the number stays in front.
        dir="auto"
        {...input}
      />
      {end}
    </FieldFrame>
  )
}
