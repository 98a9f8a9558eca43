import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, type FieldProps } from './Field'
import styles from './field.module.css'

type Props = Omit<FieldProps, 'type' | 'end'>

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.7, strokeLinecap: 'round' } as const

export function PasswordField(props: Props) {
  const { t } = useTranslation('auth')
  const [shown, setShown] = useState(false)
  return (
    <Field
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className={styles.eye}
          aria-label={t('fields.showPassword')}
          aria-pressed={shown}
          // The field keeps the focus, and with it its place in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!shown)}
        >
          <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" {...stroke} />
            <circle cx="12" cy="12" r="3" {...stroke} />
            {shown ? <path d="M4 20 20 4" {...stroke} /> : null}
          </svg>
        </button>
      }
    />
  )
}
