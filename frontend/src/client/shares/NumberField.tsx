import { Field } from '@/components/forms/Field'

type Props = { label: string; hint: string; value: string; most: number; onChange: (value: string) => void }

export function NumberField({ most, value, onChange, ...field }: Props) {
  return (
    <Field
      type="number"
      inputMode="numeric"
      min={1}
      max={most}
      step={1}
      required
      aria-invalid={!isBetween(value, most)}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      {...field}
    />
  )
}

export function isBetween(value: string, most: number): boolean {
  return /^[0-9]{1,7}$/.test(value) && Number(value) >= 1 && Number(value) <= most
}
