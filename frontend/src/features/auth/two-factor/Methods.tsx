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
  const [asking, setAsking] = useState(false)
  const { start, renew, turnOff, busy } = useTwoFactor({ onStarted, onCodes, onOff: () => setAsking(false) })
  const onApp = factor.method === 'totp'
  const left = factor.recoveryCodesLeft
  return (
    <div className={own.methods}>
      <Method name={t('step.app.name')} chosen={onApp} chosenLabel={t('step.chosen')}>
        {onApp && factor.since ? (
          <>
            <p>{t('step.app.since', { date: formatDate(factor.since) })}</p>
            <p data-few={left <= FEW}>{t('step.codesLeft', { count: left })}</p>
            <div className={own.buttons}>
              <Button variant="outlined" pending={renew.isPending} disabled={busy} onClick={() => void renew.mutate()}>
                {t('step.newCodes')}
              </Button>
              <Button variant="outlined" pending={start.isPending} disabled={busy} onClick={() => void start.mutate()}>
                {t('step.app.replace')}
              </Button>
            </div>
          </>
        ) : (
          <>
            <p>{t('step.app.text')}</p>
            <div className={own.buttons}>
              <Button pending={start.isPending} disabled={busy} onClick={() => void start.mutate()}>
                {t('step.app.setUp')}
              </Button>
            </div>
          </>
        )}
      </Method>
      <Method name={t('step.sms.name')} chosen={!onApp} chosenLabel={t('step.chosen')}>
        <p>
          <LtrValue texts="security" text="step.sms.text" name="phone" value={factor.phoneNumber} />
        </p>
        {onApp ? (
          <div className={own.buttons}>
            <Button variant="outlined" disabled={busy} onClick={() => setAsking(true)}>
              {t('step.sms.back')}
            </Button>
          </div>
        ) : null}
      </Method>
      <ConfirmDialog
        open={asking}
        title={t('step.off.title')}
        confirmLabel={t('step.off.confirm')}
        destructive
        pending={turnOff.isPending}
        onConfirm={() => void turnOff.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('step.off.text')}
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
