import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Banner } from '@/components/Banner'
import { Button } from '@/components/Button'
import { LtrValue } from '@/components/LtrValue'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { askEmailChange } from './api'

/** Shown until the address is confirmed. */
export default function EmailBanner({ address }: { address: string }) {
  const { t } = useTranslation('auth')
  const [sent, setSent] = useState(false)
  const send = useToastMutation(() => withVerification(() => askEmailChange(address)), {
    success: t('banner.sent'),
    failure: t('profile.emailFailed'),
    onDone: () => setSent(true),
  })
  return (
    <Banner
      label={t('banner.label')}
      text={<LtrValue text={sent ? 'banner.sentText' : 'banner.text'} name="email" value={address} />}
      action={
        <Button variant="text" size="large" disabled={send.isPending} onClick={() => void send.mutate()}>
          {t('forgot.again')}
        </Button>
      }
    />
  )
}
