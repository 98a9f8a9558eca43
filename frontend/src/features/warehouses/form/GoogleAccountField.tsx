import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldFrame } from '@/components/forms/FieldFrame'
import styles from './form.module.css'
import { readGoogleAccount, type GoogleAccount } from './google-account'

/** The file that Google gives out holds most of the fields: whoever pastes it has them filled in. It is not kept. */
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
