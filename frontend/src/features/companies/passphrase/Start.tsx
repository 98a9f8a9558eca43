import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { FormError } from '@/features/auth/FormError'
import { useFailure } from './use-failure'
import styles from './passphrase.module.css'
import type { PassphraseFlow } from './use-passphrase'

type Props = { passphrase: PassphraseFlow; onClose: () => void }

export function Start({ passphrase: { ask }, onClose }: Props) {
  const { t } = useTranslation('company')
  const failure = useFailure(ask.error, t('passphrase.revealFailed'))
  return (
    <div className={styles.form}>
      <p className={styles.lead}>{t('passphrase.text')}</p>
      {failure ? <FormError key={ask.failedAt}>{failure}</FormError> : null}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('passphrase.close')}</Button>
        <Button variant="outlined" disabled={ask.pending} onClick={() => void ask.run('change')}>
          {t('passphrase.change')}
        </Button>
        <Button variant="contained" autoFocus loading={ask.pending} onClick={() => void ask.run('reveal')}>
          {t('passphrase.reveal')}
        </Button>
      </div>
    </div>
  )
}
