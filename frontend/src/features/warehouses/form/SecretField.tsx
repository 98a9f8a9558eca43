import { useState } from 'react'
import { Field, type FieldProps } from '@/components/forms/Field'
import { Eye } from './Eye'

type Props = Omit<FieldProps, 'type' | 'end'>

/** A credential of a provider. Not the person's own password, so browsers should not offer to keep it. */
export function SecretField(props: Props) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      data-1p-ignore
      data-lpignore="true"
      {...props}
      type={shown ? 'text' : 'password'}
      end={<Eye label={props.label} shown={shown} onToggle={() => setShown(!shown)} />}
    />
  )
}
