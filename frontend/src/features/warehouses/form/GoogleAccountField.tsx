import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldFrame } from '@/components/forms/Field'
import styles from './form.module.css'
import type { WarehouseForm } from './warehouse-form'

const names = {
  client_email: 'clientEmail',
  client_id: 'clientId',
  project_id: 'projectId',
  private_key_id: 'privateKeyId',
  private_key: 'privateKey',
  client_x509_cert_url: 'cert',
} as const

/** Fills in most fields from a pasted service account file, which is not kept. */
export function GoogleAccountField({ onRead }: { onRead: (account: GoogleAccount) => void }) {
  const { t } = useTranslation('warehouses')
  const id = useId()
  const [text, setText] = useState('')
  const [filled, setFilled] = useState(0)

  function take(given: string) {
    const account = readGoogleAccount(given)
    setText(account ? '' : given)
    setFilled(account ? Object.keys(account).length : 0)
    if (account) onRead(account)
  }

  const unreadable = text.trim() !== '' ? t('google.unreadable') : undefined
  return (
    <FieldFrame
      id={id}
      label={t('google.label')}
      error={unreadable}
      hint={<span role="status">{filled > 0 ? t('google.filled', { count: filled }) : t('google.hint')}</span>}
    >
      <textarea
        id={id}
        className={styles.area}
        dir="ltr"
        rows={2}
        value={text}
        spellCheck={false}
        autoComplete="off"
        placeholder='{ "type": "service_account", … }'
        aria-invalid={Boolean(unreadable)}
        aria-describedby={`${id}-below`}
        onChange={(event) => take(event.target.value)}
      />
    </FieldFrame>
  )
}

type GoogleAccount = Partial<Pick<WarehouseForm, (typeof names)[keyof typeof names]>>

/** Parses a service account file of Google; null if the text is not one. */
function readGoogleAccount(text: string): GoogleAccount | null {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof file !== 'object' || file === null) return null
  const given = file as Record<string, unknown>
  const found = Object.entries(names).flatMap(([name, field]) => {
    const value = given[name]
    return typeof value === 'string' && value !== '' ? [[field, value] as const] : []
  })
  return found.length > 0 ? Object.fromEntries(found) : null
}
