import { useId, useRef, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './CodeField.module.css'

export const CODE_LENGTH = 6

type Props = {
  value: string
  onChange: (code: string) => void
  /** Called when all six digits are entered. */
  onComplete?: (code: string) => void
  /** The call that checks the code: the field is locked while it runs and marked when it fails. */
  verify?: { isPending: boolean; error: unknown }
  label?: string
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Converts typed or pasted text to at most six Latin digits; `١٢٣ 456` is accepted too. */
export function digitsOf(text: string): string {
  const latin = text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
  return latin.replace(/\D/g, '').slice(0, CODE_LENGTH)
}

/** One input drawn as six cells, so that screen readers, pasting and autofill see a single field. */
export function CodeField({ value, onChange, onComplete, verify, label, autoFocus, ref }: Props) {
  const { t } = useTranslation('auth')
  const id = useId()
  const announced = useRef('')
  const invalid = Boolean(verify?.error)

  function take(text: string) {
    const code = digitsOf(text)
    onChange(code)
    if (code.length === CODE_LENGTH && code !== announced.current) onComplete?.(code)
    announced.current = code
  }

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label ?? t('code.label')}
      </label>
      <div className={styles.cells} data-invalid={invalid} dir="ltr">
        {Array.from({ length: CODE_LENGTH }, (_, index) => (
          <span
            key={index}
            className={styles.cell}
            data-next={index === Math.min(value.length, CODE_LENGTH - 1)}
            aria-hidden
          >
            {value[index]}
          </span>
        ))}
        <input
          ref={ref}
          id={id}
          className={styles.input}
          type="text"
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          autoFocus={autoFocus}
          readOnly={verify?.isPending ?? false}
          aria-invalid={invalid}
          aria-describedby={`${id}-hint`}
          value={value}
          onChange={(event) => take(event.target.value)}
          // The cells draw the digits, so the caret must stay behind the last one.
          onSelect={({ currentTarget }) => {
            const end = currentTarget.value.length
            if (currentTarget.selectionStart === currentTarget.selectionEnd) currentTarget.setSelectionRange(end, end)
          }}
        />
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {t('code.hint')}
      </p>
    </div>
  )
}
