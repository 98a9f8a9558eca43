import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentCode } from '@/api/one-time-code'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { Form } from '@/components/forms/Form'
import { Line, Row, Stack } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { SmsCodeForm } from '@/components/forms/SmsCodeForm'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'

type Props = {
  number: string
  send: () => Promise<SentCode>
  verify: (code: string) => Promise<void>
  /** Close and continue. */
  onDone: () => void
  onCancel: () => void
}

/** Send a code, type in its six digits, close and continue. */
export function PhoneDialog({ number, send, verify, onDone, onCancel }: Props) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const [sent, setSent] = useState<SentCode | null>(null)
  const [verified, setVerified] = useState(false)
  const ask = async () => setSent(await send())
  const first = useSecretMutation(ask)
  const resend = useSecretMutation(ask)
  const check = useSecretMutation(async (code: string) => {
    await verify(code)
    setVerified(true)
  })
  const wait = useSecondsLeft(first.lockedUntil)
  const back = (
    <Button variant="text" size="large" onClick={onCancel}>
      {t('common:actions.cancel')}
    </Button>
  )

  if (verified) {
    return (
      <Dialog title={t('phone.verified')} onClose={onDone} closesOnOutsideClick={false}>
        <DialogContent>
          <PhoneVerified number={number} onDone={onDone} />
        </DialogContent>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('phone.title')} onClose={onCancel} closesOnOutsideClick={false}>
      <DialogContent>
        {sent ? (
          <SmsCodeForm
            sent={sent}
            verify={check}
            resend={resend}
            submitLabel={t('password.verify')}
            fallback={t('auth:code.notVerified')}
            back={back}
          />
        ) : (
          <Form onSubmit={() => void first.mutate()}>
            <MutationError mutation={first} fallback={t('auth:code.notSent')} />
            <Line>
              {t('phone.text')} <bdi dir="ltr">{number}</bdi>
            </Line>
            <Button
              type="submit"
              size="xlarge"
              fullWidth
              pending={first.isPending}
              disabledReason={wait > 0 ? t('auth:waitFor', { time: formatClock(wait) }) : null}
            >
              {t('phone.send')}
            </Button>
            <Row>{back}</Row>
          </Form>
        )}
      </DialogContent>
    </Dialog>
  )
}

type PhoneVerifiedProps = { number: string; onDone: () => void }

function PhoneVerified({ number, onDone }: PhoneVerifiedProps) {
  const { t } = useTranslation('signup')
  return (
    <Stack>
      <Line role="status">
        {t('phone.verifiedText')} <bdi dir="ltr">{number}</bdi>
      </Line>
      <Button size="large" autoFocus onClick={onDone}>
        {t('phone.close')}
      </Button>
    </Stack>
  )
}
