import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import type { PasskeyStep } from '@/api/one-time-code'
import { verificationStore, type Verification } from '@/api/verification'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { FormError, Lead, Row, Stack } from '@/components/forms/layout'
import { SmsCodeForm } from '@/components/forms/SmsCodeForm'
import { Skeleton } from '@/components/Skeleton'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { useStore } from '@/lib/create-store'
import { verifySession, verifySessionWithPasskey } from './api'
import { AuthenticatorCodeForm } from './AuthenticatorCodeForm'
import { PasskeyForm } from './PasskeyForm'

/** Verification Required: asks for a code before something sensitive is shown or changed. */
export default function VerificationDialog() {
  const { t } = useTranslation('auth')
  const current = useStore(verificationStore)
  if (current.status === 'closed') return null
  return (
    <Dialog onClose={() => verificationStore.cancel()} title={t('verification.title')}>
      <DialogContent>
        <Lead>{t('verification.text')}</Lead>
        {current.status === 'passkey' ? <PasskeyEntry {...current} /> : null}
        {current.status === 'sent' || current.status === 'app' ? <Entry shown={current} /> : null}
        {current.status === 'sending' ? <Skeleton label={t('code.sending')} heights={[24, 84, 48]} /> : null}
        {current.status === 'failed' ? <NotSent error={current.error} retryAt={current.retryAt} /> : null}
      </DialogContent>
    </Dialog>
  )
}

function Entry({ shown }: { shown: Extract<Verification, { status: 'sent' | 'app' }> }) {
  const { t } = useTranslation('auth')
  const verify = useSecretMutation(async (code: string) => {
    await verifySession(code)
    verificationStore.confirm()
  })
  const resend = useSecretMutation(() => verificationStore.resend())
  const words = {
    submitLabel: t('verification.submit'),
    fallback: t('code.notVerified'),
    back: (
      <Button variant="text" size="large" onClick={() => verificationStore.cancel()}>
        {t('common:actions.cancel')}
      </Button>
    ),
  }
  if (shown.status === 'app') return <AuthenticatorCodeForm verify={verify} {...words} />
  return <SmsCodeForm sent={shown.sent} verify={verify} resend={resend} {...words} />
}

function PasskeyEntry({ options, orCode }: PasskeyStep) {
  const { t } = useTranslation('auth')
  const verify = useSecretMutation(async () => {
    const { signWithPasskey } = await import('@/lib/webauthn')
    const signed = await signWithPasskey(options)
    try {
      await verifySessionWithPasskey(signed)
    } catch (error) {
      // A challenge is good for one answer.
      await verificationStore.resend(true).catch(() => undefined)
      throw error
    }
    verificationStore.confirm()
  })
  const change = useSecretMutation(() => verificationStore.resend())
  return (
    <PasskeyForm
      verify={verify}
      change={orCode ? change : null}
      submitLabel={t('passkey.use')}
      fallback={t('passkey.failed')}
      back={
        <Button variant="text" size="large" onClick={() => verificationStore.cancel()}>
          {t('common:actions.cancel')}
        </Button>
      }
    />
  )
}

function NotSent({ error, retryAt }: { error: unknown; retryAt: number }) {
  const { t } = useTranslation('auth')
  const wait = useSecondsLeft(retryAt)
  return (
    <Stack>
      <FormError>{errorMessage(error, t('code.notSent'))}</FormError>
      <Row>
        <Button variant="text" onClick={() => verificationStore.cancel()}>
          {t('common:actions.cancel')}
        </Button>
        <Button disabled={wait > 0} onClick={() => void verificationStore.send()}>
          {wait > 0 ? t('waitFor', { time: formatClock(wait) }) : t('code.sendAgain')}
        </Button>
      </Row>
    </Stack>
  )
}
