import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '@/api/passkeys'
import { Button } from '@/components/Button'
import { Dialog, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { Actions, Lead, Stack } from '@/components/forms/layout'
import { QueryResult } from '@/components/QueryResult'
import { twoFactorQuery, type StartedAuthenticator } from './api'
import { PasskeyNameForm } from './passkeys/PasskeyNameForm'
import { PasskeySection } from './passkeys/PasskeySection'
import { PasskeyUnlockForm } from './passkeys/PasskeyUnlockForm'
import { AuthenticatorSetup } from './two-factor/AuthenticatorSetup'
import { Methods } from './two-factor/Methods'
import { RecoveryCodes } from './two-factor/RecoveryCodes'

type View =
  | { name: 'main' }
  | { name: 'setUp'; started: StartedAuthenticator }
  | { name: 'codes'; codes: string[] }
  | { name: 'passkey' }
  | { name: 'rename'; passkey: Passkey }
  | { name: 'unlock'; passkey: Passkey }

// The focused button is gone, so the focus moves to the new title.
function takeFocus(title: HTMLElement | null): void {
  title?.focus()
}

export default function TwoFactorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['security', 'auth', 'errors'])
  const [view, setView] = useState<View>({ name: 'main' })
  const [moved, setMoved] = useState(false)

  function show(next: View) {
    setMoved(true)
    setView(next)
  }

  const main = () => show({ name: 'main' })
  const showCodes = (codes: string[]) => show({ name: 'codes', codes })
  return (
    // Codes are shown only once, so the dialog stays open until they are saved.
    <Dialog onClose={view.name === 'codes' ? undefined : onClose}>
      <DialogTitle key={view.name} tabIndex={-1} ref={moved ? takeFocus : undefined}>
        {t(`twoFactor.title.${view.name}`)}
      </DialogTitle>
      <DialogContent>
        {view.name === 'main' ? (
          <TwoFactorOverview
            onStarted={(started) => show({ name: 'setUp', started })}
            onCodes={showCodes}
            onAddPasskey={() => show({ name: 'passkey' })}
            onRenamePasskey={(passkey) => show({ name: 'rename', passkey })}
            onUnlockPasskey={(passkey) => show({ name: 'unlock', passkey })}
            onClose={onClose}
          />
        ) : null}
        {view.name === 'setUp' ? <AuthenticatorSetup started={view.started} onCodes={showCodes} onBack={main} /> : null}
        {view.name === 'passkey' ? <PasskeyNameForm onDone={main} /> : null}
        {view.name === 'rename' ? <PasskeyNameForm passkey={view.passkey} onDone={main} /> : null}
        {view.name === 'unlock' ? <PasskeyUnlockForm passkey={view.passkey} onDone={main} /> : null}
        {view.name === 'codes' ? <RecoveryCodes codes={view.codes} onDone={main} /> : null}
      </DialogContent>
    </Dialog>
  )
}

type TwoFactorOverviewProps = {
  onStarted: (started: StartedAuthenticator) => void
  onCodes: (codes: string[]) => void
  onAddPasskey: () => void
  onRenamePasskey: (passkey: Passkey) => void
  onUnlockPasskey: (passkey: Passkey) => void
  onClose: () => void
}

/** The current second factor and the alternatives. */
function TwoFactorOverview(props: TwoFactorOverviewProps) {
  const { onStarted, onCodes, onAddPasskey, onRenamePasskey, onUnlockPasskey, onClose } = props
  const { t } = useTranslation('security')
  const factor = useQuery(twoFactorQuery)
  return (
    <Stack>
      <Lead>{t('twoFactor.text')}</Lead>
      <QueryResult query={factor} loading={t('common:wait')} heights={[92, 92]}>
        {(data) => <Methods factor={data} onStarted={onStarted} onCodes={onCodes} />}
      </QueryResult>
      <PasskeySection onAdd={onAddPasskey} onRename={onRenamePasskey} onUnlock={onUnlockPasskey} />
      <Actions>
        <Button variant="text" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      </Actions>
    </Stack>
  )
}
