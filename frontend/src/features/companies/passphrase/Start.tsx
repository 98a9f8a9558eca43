import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { MutationError } from '@/components/forms/FormError'
import styles from './passphrase.module.css'
import type { PassphraseFlow } from './use-passphrase'

type Props = { passphrase: PassphraseFlow; onClose: () => void }

export function Start({ passphrase: { ask }, onClose }: Props) {
  const { t } = useTranslation('company')
  return (
    <div className={styles.form}>
      <p className={styles.lead}>{t('passphrase.text')}</p>
      <MutationError mutation={ask} fallback={t('passphrase.revealFailed')} />
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose}>
          {t('passphrase.close')}
        </Button>
        <Button variant="outlined" disabled={ask.isPending} onClick={() => void ask.mutate('change')}>
          {t('passphrase.change')}
        </Button>
        <Button autoFocus pending={ask.isPending} onClick={() => void ask.mutate('reveal')}>
          {t('passphrase.reveal')}
        </Button>
      </div>
    </div>
  )
}
