import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './field.module.css'

type Props = {
  id: string
  label: string
  /** A key of the `auth` texts, or a sentence of the server. */
  error?: string | undefined
  hint?: ReactNode
  children: ReactNode
}

/** Label above, message below. Plain, because the login page has to be there before MUI would be. */
export function FieldFrame({ id, label, error, hint, children }: Props) {
  const { t, i18n } = useTranslation('auth')
  const told = error && i18n.exists(`auth:${error}`) ? t(error) : error
  const below = told ?? hint
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
        <p id={`${id}-below`} className={styles.below} data-invalid={invalid}>
          {below}
        </p>
      ) : null}
    </div>
  )
}
