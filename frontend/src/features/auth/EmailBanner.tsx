import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { VerificationCancelledError, withVerification } from '@/api/verification'
import { Banner } from '@/components/Banner'
import { Button } from '@/components/Button'
import { LtrValue } from '@/components/LtrValue'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { askEmailChange } from './api'

/** Shown until the address is confirmed. */
export default function EmailBanner({ address }: { address: string }) {
  const { t } = useTranslation('auth')
  const [sent, setSent] = useState(false)
  const send = useSecretMutation(async () => {
    try {
      await withVerification(() => askEmailChange(address))
      setSent(true)
      toast.success(t('banner.sent'))
    } catch (error) {
      if (!(error instanceof VerificationCancelledError)) toast.error(errorMessage(error, t('banner.failed')))
    }
  })
  return (
    <Banner
      label={t('banner.label')}
      text={<LtrValue text={sent ? 'banner.sentText' : 'banner.text'} name="email" value={address} />}
      action={
        <Button variant="text" size="large" disabled={send.isPending} onClick={() => void send.mutate()}>
          {t('banner.again')}
        </Button>
      }
    />
  )
}
