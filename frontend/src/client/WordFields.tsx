import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './WordFields.module.css'

type Props = { label: string; value: string[]; onChange: (words: string[]) => void; invalid?: boolean }

export const NO_WORDS = ['', '', '', '', '', '']

/** Six words as heard from somebody. A whole line typed or pasted into one field fills the others. */
export function WordFields({ label, value, onChange, invalid = false }: Props) {
  const { t } = useTranslation('client')
  const id = useId()
  return (
    <fieldset className={styles.fields}>
      <legend className={styles.legend}>{label}</legend>
      {value.map((word, index) => (
        <label key={index} className={styles.word} htmlFor={`${id}-${index}`}>
          <span className={styles.number}>
            <span className="t-hidden">{t('words.word')} </span>
            {index + 1}
          </span>
          <input
            id={`${id}-${index}`}
            className={styles.input}
            dir="ltr"
            lang="en"
            value={word}
            aria-invalid={invalid}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => {
              const typed = target.value.toLowerCase().split(/\s+/)
              const next = [...value]
              typed.slice(0, value.length - index).forEach((part, offset) => {
                next[index + offset] = part
              })
              onChange(next)
              if (typed.length > 1) {
                const last = Math.min(index + typed.length, value.length) - 1
                document.getElementById(`${id}-${last}`)?.focus()
              }
            }}
          />
        </label>
      ))}
    </fieldset>
  )
}
