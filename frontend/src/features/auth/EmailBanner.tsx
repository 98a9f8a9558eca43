import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { toast } from '@/components/toast'
import { askEmailChange } from './api/ask-email-change'
import styles from './EmailBanner.module.css'
import { Sentence } from './Sentence'
import { TextButton } from './TextButton'
import { useTask } from './use-task'
import { VerificationCancelledError, withVerification } from './verification'

/** Until the address is confirmed. */
export default function EmailBanner({ address }: { address: string }) {
  const { t } = useTranslation('auth')
  const [sent, setSent] = useState(false)
  const send = useTask(async () => {
    try {
      await withVerification(() => askEmailChange(address))
      setSent(true)
      toast.success(t('banner.sent'))
    } catch (error) {
      if (!(error instanceof VerificationCancelledError)) toast.error(errorMessage(error, t('banner.failed')))
    }
  })
  return (
    <aside className={styles.banner} aria-label={t('banner.label')}>
      <p className={styles.text}>
        <Sentence text={sent ? 'banner.sentText' : 'banner.text'} name="email" value={address} />
      </p>
      <TextButton disabled={send.pending} onClick={() => void send.run()}>
        {t('banner.again')}
      </TextButton>
    </aside>
  )
}
