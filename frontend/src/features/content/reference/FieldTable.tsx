import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Marked } from '../Marked'
import type { Schema } from './description'
import type { FieldRow } from './fields'
import styles from './reference.module.css'

type Props = { caption: string; rows: FieldRow[] }

export function FieldTable({ caption, rows }: Props) {
  const { t } = useTranslation('reference')
  return (
    // Reachable by keyboard: wide tables scroll inside.
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={caption}>
      <table className={styles.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('columns.name')}</th>
            <th scope="col">{t('columns.type')}</th>
            <th scope="col">{t('columns.rules')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} {...row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ name, type, nullable, required, schema }: FieldRow) {
  const { t } = useTranslation('reference')
  return (
    <tr>
      <th scope="row">
        <code dir="ltr">{name}</code>
      </th>
      <td>
        <code dir="ltr">{nullable ? `${type} | null` : type}</code>
      </td>
      <td>
        {t(required ? 'rules.required' : 'rules.optional')}
        <Rules schema={schema} />
        {schema.description && (
          <span className={`t-soft ${styles.note}`}>
            <Marked text={schema.description} />
          </span>
        )}
      </td>
    </tr>
  )
}

function Rules({ schema }: { schema: Schema }) {
  const { t } = useTranslation('reference')
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  const rules = [
    between('length', minLength, maxLength),
    // JavaScript cannot write the largest integer of the database.
    between('value', minimum, Number(maximum) > Number.MAX_SAFE_INTEGER ? undefined : maximum),
    between('items', minItems, maxItems),
  ].filter((rule) => rule !== null)
  const choices = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  const shown = schema.default !== undefined && schema.default !== null && JSON.stringify(schema.default)
  return (
    <>
      {rules.map(({ key, ...range }) => (
        <span key={key}> · {t(`rules.${key}`, range)}</span>
      ))}
      {schema.pattern && <Rule name={t('rules.pattern')} values={[schema.pattern]} />}
      {choices.length > 0 && <Rule name={t('rules.choices')} values={choices.map(String)} />}
      {shown && <Rule name={t('rules.default')} values={[shown]} />}
    </>
  )
}

function Rule({ name, values }: { name: string; values: string[] }) {
  return (
    <span>
      {' '}
      · {name}
      {values.map((value) => (
        <Fragment key={value}>
          {' '}
          <code dir="ltr">{value}</code>
        </Fragment>
      ))}
    </span>
  )
}

/** The rule's text and its numbers: at least, at most, or from one to the other. */
function between(name: string, min: number | undefined, max: number | undefined) {
  if (min === undefined && max === undefined) return null
  const kind = min === undefined ? 'Max' : max === undefined ? 'Min' : 'Range'
  return { key: `${name}${kind}`, min, max }
}
