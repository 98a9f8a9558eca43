import { useId, type ReactNode } from 'react'
import styles from './Tiles.module.css'

type Props<Value extends string | number> = {
  legend: string
  value: Value
  options: readonly { value: Value; label: ReactNode; picture: ReactNode }[]
  onChange: (value: Value) => void
}

/** One of a few, each with a small picture of it. */
export function Tiles<Value extends string | number>({ legend, value, options, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.tiles}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.tile}>
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
    </fieldset>
  )
}
