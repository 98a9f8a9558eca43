import { useEffect, useId, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { replayTyping } from '@/lib/hydration-replay'
import checkFieldStyles from './CheckField.module.css'
import styles from './field.module.css'
import { ExpandIcon } from '../icons/ExpandIcon'

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
        // Keeps the order of house number and street for text in another script than the page's.
        dir="auto"
        {...input}
      />
      {end}
    </FieldFrame>
  )
}

type Props = {
  id: string
  label: string
  /** A key of the `auth` texts, or a message from the server. */
  error?: string | undefined
  hint?: ReactNode
  children: ReactNode
}

/** Label above, message below. */
export function FieldFrame({ id, label, error, hint, children }: Props) {
  const { t, i18n } = useTranslation('auth')
  const message = error && i18n.exists(`auth:${error}`) ? t(error) : error
  const below = message ?? hint
  const invalid = Boolean(error)
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.box} data-invalid={invalid}>
        {children}
      </div>
      {below ? (
        <FieldMessage id={`${id}-below`} invalid={invalid}>
          {below}
        </FieldMessage>
      ) : null}
    </div>
  )
}

type MessageProps = Omit<ComponentProps<'p'>, 'className'> & { invalid: boolean }

/** The hint or the error below a field. */
export function FieldMessage({ invalid, ...props }: MessageProps) {
  return <p className={styles.below} data-invalid={invalid} {...props} />
}

export function EmailField(props: Omit<FieldProps, 'type'>) {
  return <Field type="email" dir="ltr" inputMode="email" autoCapitalize="none" spellCheck={false} {...props} />
}

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id' | 'className'> &
  Pick<FieldProps, 'label' | 'error' | 'hint'>

/** A native select: it is searchable by typing, and phones show their own picker. */
export function SelectField({ label, error, hint, children, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <select
        id={id}
        className={styles.input}
        aria-invalid={Boolean(error)}
        aria-describedby={error || hint ? `${id}-below` : undefined}
        {...select}
      >
        {children}
      </select>
      <ExpandIcon className={styles.arrow} />
    </FieldFrame>
  )
}

type CheckFieldProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & { label: ReactNode }

/** A checkbox with its label. */
export function CheckField({ label, ...input }: CheckFieldProps) {
  return (
    <label className={checkFieldStyles.check}>
      <input type="checkbox" className={checkFieldStyles.box} {...input} />
      <span>{label}</span>
    </label>
  )
}
