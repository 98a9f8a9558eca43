import { useId, useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../Button'
import type { FilterField } from './column'
import styles from './filter-form.module.css'
import { OPERATORS, type Filter, type Operator } from './use-table-state'

type Props = { fields: readonly FilterField[]; onAdd: (filter: Filter) => void; onClose: () => void }

function Labelled({ label, children }: { label: string; children: (id: string) => React.ReactNode }) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

/** Numbers are compared, never searched for digits. */
const COMPARISONS: readonly Operator[] = ['greaterThan', 'lessThan', 'matches']

function operatorsOf(field: FilterField | undefined): readonly Operator[] {
  return field?.kind === 'number' ? COMPARISONS : OPERATORS
}

/** Adds one filter: column, operator and value. The server applies it. */
export default function FilterForm({ fields, onAdd, onClose }: Props) {
  const { t } = useTranslation('table')
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [operator, setOperator] = useState<Operator>('contains')
  const [value, setValue] = useState('')
  const field = fields.find((each) => each.name === name)
  const choices = field?.choices
  const given = choices ? value || (choices[0]?.value ?? '') : value.trim()
  const input: ComponentProps<'input'> =
    field?.kind && field.kind !== 'text' && COMPARISONS.includes(operator)
      ? { type: field.kind, min: field.kind === 'number' ? 0 : undefined }
      : { type: 'text', maxLength: 200 }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!given) return
        onAdd({ field: name, operator: choices ? 'matches' : operator, value: given })
        setValue('')
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <Labelled label={t('filters.column')}>
        {(id) => (
          <select
            id={id}
            autoFocus
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              const kind = fields.find((each) => each.name === event.target.value)?.kind ?? 'text'
              setOperator(kind === 'text' ? 'contains' : 'greaterThan')
              setValue('')
            }}
          >
            {fields.map((each) => (
              <option key={each.name} value={each.name}>
                {each.label}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {choices ? null : (
        <Labelled label={t('filters.operator')}>
          {(id) => (
            <select
              id={id}
              value={operator}
              onChange={(event) => {
                setOperator(event.target.value as Operator)
                setValue('')
              }}
            >
              {operatorsOf(field).map((each) => (
                <option key={each} value={each}>
                  {t(`filters.operators.${each}`)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
      <Labelled label={t('filters.value')}>
        {(id) =>
          choices ? (
            <select id={id} value={given} onChange={(event) => setValue(event.target.value)}>
              {choices.map((each) => (
                <option key={each.value} value={each.value}>
                  {each.label}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={id}
              {...input}
              autoComplete="off"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )
        }
      </Labelled>
      <div className={styles.actions}>
        <Button variant="outlined" size="large" type="submit" disabled={!given}>
          {t('filters.add')}
        </Button>
        <Button variant="plain" size="large" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      </div>
    </form>
  )
}
