import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { LtrValue } from '@/components/LtrValue'
import { formatDate } from '@/i18n/format'
import type { StartedAuthenticator, TwoFactor } from '../api'
import markStyles from '../mark.module.css'
import own from './two-factor.module.css'
import { useTwoFactor } from './use-two-factor'

// With this many left, new ones are recommended.
const FEW = 3

type Props = {
  factor: TwoFactor
  onStarted: (started: StartedAuthenticator) => void
  onCodes: (codes: string[]) => void
}

export function Methods({ factor, onStarted, onCodes }: Props) {
  const { t } = useTranslation('security')
  const [asking, setAsking] = useState<'app' | 'sms' | null>(null)
  const { start, renew, turnOff, setSms, busy } = useTwoFactor({ onStarted, onCodes, onOff: () => setAsking(null) })
  const { smsEnabled, smsNeeded } = factor
  const onApp = factor.method === 'totp'
  const left = factor.recoveryCodesLeft
  return (
    <div className={own.methods}>
      <Method name={t('twoFactor.app.name')} chosen={onApp} chosenLabel={t('twoFactor.chosen')}>
        {onApp && factor.since ? (
          <>
            <p>{t('twoFactor.app.since', { date: formatDate(factor.since) })}</p>
            <p data-few={left <= FEW}>{t('twoFactor.codesLeft', { count: left })}</p>
            <div className={own.buttons}>
              <Button variant="outlined" pending={renew.isPending} disabled={busy} onClick={() => void renew.mutate()}>
                {t('twoFactor.newCodes')}
              </Button>
              <Button variant="outlined" pending={start.isPending} disabled={busy} onClick={() => void start.mutate()}>
                {t('twoFactor.app.replace')}
              </Button>
            </div>
          </>
        ) : (
          <>
            <p>{t('twoFactor.app.text')}</p>
            <div className={own.buttons}>
              <Button pending={start.isPending} disabled={busy} onClick={() => void start.mutate()}>
                {t('twoFactor.app.setUp')}
              </Button>
            </div>
          </>
        )}
      </Method>
      <Method name={t('twoFactor.sms.name')} chosen={!onApp && smsEnabled} chosenLabel={t('twoFactor.chosen')}>
        <p>
          <LtrValue
            texts="security"
            text={smsEnabled ? 'twoFactor.sms.text' : 'twoFactor.sms.isOff'}
            name="phone"
            value={factor.phoneNumber}
          />
        </p>
        {smsNeeded ? null : (
          <div className={own.buttons}>
            {onApp && smsEnabled ? (
              <Button variant="outlined" disabled={busy} onClick={() => setAsking('app')}>
                {t('twoFactor.sms.back')}
              </Button>
            ) : null}
            {smsEnabled ? (
              <Button variant="outlined" disabled={busy} onClick={() => setAsking('sms')}>
                {t('twoFactor.sms.turnOff')}
              </Button>
            ) : (
              <Button
                variant="outlined"
                pending={setSms.isPending}
                disabled={busy}
                onClick={() => void setSms.mutate(true)}
              >
                {t('twoFactor.sms.turnOn')}
              </Button>
            )}
          </div>
        )}
      </Method>
      <ConfirmDialog
        open={asking !== null}
        title={t(asking === 'app' ? 'twoFactor.off.title' : 'twoFactor.sms.offTitle')}
        confirmLabel={t(asking === 'app' ? 'twoFactor.sms.back' : 'twoFactor.sms.turnOff')}
        destructive
        pending={turnOff.isPending || setSms.isPending}
        onConfirm={() => void (asking === 'app' ? turnOff.mutate() : setSms.mutate(false))}
        onClose={() => setAsking(null)}
      >
        {t(
          asking === 'app' ? 'twoFactor.off.text' : onApp ? 'twoFactor.sms.offTextApp' : 'twoFactor.sms.offTextPasskey',
        )}
      </ConfirmDialog>
    </div>
  )
}

type MethodProps = { name: string; chosen: boolean; chosenLabel: string; children: ReactNode }

function Method({ name, chosen, chosenLabel, children }: MethodProps) {
  const nameId = useId()
  return (
    <section className={own.method} data-chosen={chosen} aria-labelledby={nameId}>
      <h3 className={own.name}>
        <span id={nameId}>{name}</span>
        {chosen ? <span className={markStyles.mark}>{chosenLabel}</span> : null}
      </h3>
      {children}
    </section>
  )
}
