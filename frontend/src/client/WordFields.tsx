import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { get } from './api'
import styles from './WordFields.module.css'

type Props = { label: string; value: string[]; onChange: (words: string[]) => void; invalid?: boolean }

export const NO_WORDS = ['', '', '', '', '', '']

const MAX_CHOICES = 8
// The first four letters of a word are no other's.
const UNIQUE_LETTERS = 4

/** Six words as heard from somebody. A whole line typed or pasted into one field fills the others. */
export function WordFields({ label, value, onChange, invalid = false }: Props) {
  const { t } = useTranslation('client')
  const id = useId()
  const { data: list = [] } = useQuery({
    queryKey: ['words'],
    queryFn: () => get('/words'),
    staleTime: Infinity,
  })
  const beginningWith = (letters: string) => list.filter((word) => word.startsWith(letters))
  const complete = (typed: string) => (typed.length < UNIQUE_LETTERS ? typed : (beginningWith(typed)[0] ?? typed))

  function change(index: number, text: string) {
    const typed = text.toLowerCase().split(/[\s-]+/)
    const filled = typed.slice(0, value.length - index)
    const next = [...value]
    filled.forEach((part, offset) => {
      // The last one is still being typed.
      next[index + offset] = offset < typed.length - 1 ? complete(part) : part
    })
    onChange(next)
    if (typed.length > 1) document.getElementById(`${id}-${index + filled.length - 1}`)?.focus()
  }

  return (
    <fieldset className={styles.fields}>
      <legend>{label}</legend>
      {value.map((word, index) => (
        <label key={index} className={styles.word} htmlFor={`${id}-${index}`}>
          <span className="t-soft">
            <span className="t-hidden">{t('words.word')} </span>
            {index + 1}
          </span>
          <input
            id={`${id}-${index}`}
            list={`${id}-${index}-choices`}
            dir="ltr"
            lang="en"
            value={word}
            aria-invalid={invalid}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => change(index, target.value)}
          />
          <datalist id={`${id}-${index}-choices`}>
            {word.length < 2
              ? null
              : beginningWith(word)
                  .slice(0, MAX_CHOICES)
                  .map((choice) => <option key={choice} value={choice} />)}
          </datalist>
        </label>
      ))}
    </fieldset>
  )
}
