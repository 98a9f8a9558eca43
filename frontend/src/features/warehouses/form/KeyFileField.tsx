import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldFrame } from '@/components/forms/Field'
import type { Provider } from '../providers'
import styles from './form.module.css'

type Values = Record<string, string>
type Props = {
  file: NonNullable<Provider['keyFile']>
  fields: Provider['fields']
  onRead: (values: Values) => void
}

/** Fills in most fields from a pasted key file of the provider, which is not kept. */
export function KeyFileField({ file, fields, onRead }: Props) {
  const { t } = useTranslation('warehouses')
  const id = useId()
  const [text, setText] = useState('')
  const [filled, setFilled] = useState(0)

  function take(given: string) {
    const values = readKeyFile(given, fields)
    const count = Object.keys(values).length
    setText(count > 0 ? '' : given)
    setFilled(count)
    if (count > 0) onRead(values)
  }

  const unreadable = text.trim() !== '' ? file.unreadable : undefined
  return (
    <FieldFrame
      id={id}
      label={file.label}
      error={unreadable}
      hint={<span role="status">{filled > 0 ? t('keyFile.filled', { count: filled }) : file.hint}</span>}
    >
      <textarea
        id={id}
        className={styles.area}
        dir="ltr"
        rows={2}
        value={text}
        spellCheck={false}
        autoComplete="off"
        placeholder={file.placeholder}
        aria-invalid={Boolean(unreadable)}
        aria-describedby={`${id}-below`}
        onChange={(event) => take(event.target.value)}
      />
    </FieldFrame>
  )
}

/** The values of the fields that a key file names; none if the text is no such file. */
function readKeyFile(text: string, fields: Provider['fields']): Values {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return {}
  }
  if (typeof file !== 'object' || file === null) return {}
  const given = file as Record<string, unknown>
  return Object.fromEntries(
    fields.flatMap(({ name, keyFileName }) => {
      const value = keyFileName ? given[keyFileName] : undefined
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}
