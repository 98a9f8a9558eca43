import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import styles from '@/components/forms/form.module.css'
import { CopyIcon } from '@/components/dialog-icons'
import { useSecondsLeft } from '@/hooks/use-seconds-left'
import { copyText } from '@/lib/copy-text'
import own from './passphrase.module.css'
import type { PassphraseFlow } from './use-passphrase'

export const SHOWN_MS = 60_000

type Props = { text: string; label: string; passphrase: PassphraseFlow; onClose: () => void }

/** Shows the passphrase, or a former one, and hides it after a minute. */
export function Revealed({ text, label, passphrase: { view, ask, hide }, onClose }: Props) {
  const { t } = useTranslation('company')
  const [until] = useState(() => Date.now() + SHOWN_MS)
  const left = useSecondsLeft(until)
  const onTimeUp = useEffectEvent(hide)
  useEffect(() => {
    const timer = window.setTimeout(onTimeUp, SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [])

  return (
    <div className={styles.dialogForm}>
      {/* In its own text direction, with all its spaces. */}
      <output className={own.secret} dir="auto" aria-label={label}>
        {text}
      </output>
      <p className={styles.lead}>{t('passphrase.hidesIn', { count: left })}</p>
      <div className={styles.actions}>
        {view.name === 'former' ? (
          <Button variant="text" onClick={hide}>
            {t('passphrase.back')}
          </Button>
        ) : (
          <Button variant="text" onClick={() => void ask.mutate('change')}>
            {t('passphrase.change')}
          </Button>
        )}
        <Button variant="text" onClick={onClose}>
          {t('passphrase.close')}
        </Button>
        <Button
          autoFocus
          icon={<CopyIcon />}
          onClick={() => void copyText(text, t('passphrase.copied'), t('passphrase.copyFailed'))}
        >
          {t('passphrase.copy')}
        </Button>
      </div>
    </div>
  )
}
