import { useTranslation } from 'react-i18next'
import { passphraseStrength } from '@/crypto/passphrase-strength'
import styles from './passphrase.module.css'

/** An estimate, and on the low side: five tiles and a word. */
export function StrengthMeter({ passphrase }: { passphrase: string }) {
  const { t } = useTranslation('company')
  const strength = passphrase === '' ? null : passphraseStrength(passphrase)
  return (
    <div className={styles.meter} data-strength={strength ?? 'none'}>
      <span className={styles.tiles} aria-hidden>
        {[0, 1, 2, 3, 4].map((step) => (
          <span key={step} data-on={strength !== null && step <= strength} />
        ))}
      </span>
      <span role="status">
        {t('newPassphrase.strength')} {strength === null ? '–' : t(`newPassphrase.steps.${strength}`)}
      </span>
    </div>
  )
}
