import { Field, type FieldProps } from './Field'

export function EmailField(props: Omit<FieldProps, 'type'>) {
  return <Field type="email" dir="ltr" inputMode="email" autoCapitalize="none" spellCheck={false} {...props} />
}
