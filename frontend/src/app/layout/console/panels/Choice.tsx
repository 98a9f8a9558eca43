import { useId, type ReactNode } from 'react'
import styles from './Panel.module.css'

type Option<Value extends string> = { value: Value; label: string; picture: ReactNode }

type ChoiceProps<Value extends string> = {
  legend: string
  value: Value
  options: Option<Value>[]
  onChange: (value: Value) => void
}

/** One of a few, each with a small picture of what it does. */
export function Choice<Value extends string>({ legend, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.choices}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.picture}
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
