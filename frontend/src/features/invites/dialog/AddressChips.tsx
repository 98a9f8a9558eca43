import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './address-input.module.css'

// Nobody reads more at once, and a few thousand chips make typing slow.
const SHOWN = 40

type Props = { addresses: string[]; onChange: (addresses: string[]) => void }

export function AddressChips({ addresses, onChange }: Props) {
  const { t } = useTranslation('invites')
  const [all, setAll] = useState(false)
  if (addresses.length === 0) return null
  const shown = all ? addresses : addresses.slice(-SHOWN)
  const hidden = addresses.length - shown.length
  return (
    <>
      <ul className={styles.chips} aria-label={t('dialog.added')}>
        {hidden > 0 ? (
          <li>
            <button type="button" className={styles.more} onClick={() => setAll(true)}>
              {t('dialog.more', { count: hidden })}
            </button>
          </li>
        ) : null}
        {shown.map((address) => (
          <li key={address} className={styles.chip}>
            <bdi dir="ltr">{address}</bdi>
            <button
              type="button"
              aria-label={t('dialog.remove', { email: address })}
              onClick={() => onChange(addresses.filter((each) => each !== address))}
            >
              <svg width="10" height="10" viewBox="0 0 14 14" aria-hidden="true">
                <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      {addresses.length > 1 ? <p className={styles.count}>{t('dialog.count', { count: addresses.length })}</p> : null}
    </>
  )
}
