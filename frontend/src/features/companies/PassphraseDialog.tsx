import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Button } from '@/components/Button'
import { Dialog, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { Actions, Lead, Stack } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { UnlockForm } from '@/components/forms/UnlockForm'
import { useUser } from '@/hooks/use-session'
import { KeyHolderContent } from './key-holder/KeyHolderContent'
import { KeyHolderSection } from './key-holder/KeyHolderSection'
import { ChangeForm } from './passphrase/ChangeForm'
import { FormerPassphrases } from './passphrase/FormerPassphrases'
import { Revealed } from './passphrase/Revealed'
import { SenderForm } from './passphrase/SenderForm'
import { usePassphrase, type PassphraseFlow } from './passphrase/use-passphrase'
import { RecoveryKit } from './RecoveryKit'

export default function PassphraseDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  return <Dialog onClose={onClose}>{user ? <Content user={user} onClose={onClose} /> : null}</Dialog>
}

function Content({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(['company', 'auth', 'errors', 'table'])
  const passphrase = usePassphrase(user)
  const [managesHolder, setManagesHolder] = useState(false)
  const { view } = passphrase
  if (managesHolder) return <KeyHolderContent user={user} onBack={() => setManagesHolder(false)} onClose={onClose} />
  const title = view.name === 'change' && view.why !== 'change' ? 'enter' : view.name
  return (
    <>
      <DialogTitle>{t(`passphrase.title.${title}`)}</DialogTitle>
      <DialogContent>
        {view.name === 'start' ? (
          <Start passphrase={passphrase} onHolder={() => setManagesHolder(true)} onClose={onClose} />
        ) : null}
        {view.name === 'unlock' ? <UnlockForm {...passphrase} onClose={onClose} /> : null}
        {view.name === 'shown' || view.name === 'former' ? (
          <Revealed
            text={view.text}
            label={t(`passphrase.title.${view.name}`)}
            onHide={passphrase.hide}
            onClose={onClose}
            action={
              view.name === 'former' ? (
                <Button variant="text" onClick={passphrase.hide}>
                  {t('common:actions.back')}
                </Button>
              ) : (
                <Button variant="text" onClick={() => void passphrase.ask.mutate('change')}>
                  {t('common:actions.change')}
                </Button>
              )
            }
          />
        ) : null}
        {view.name === 'sender' ? (
          <SenderForm sender={view.sender} compare={passphrase.compare} onClose={onClose} />
        ) : null}
        {view.name === 'change' ? (
          <ChangeForm why={view.why} keyHolder={view.keyHolder ?? null} save={passphrase.save} onClose={onClose} />
        ) : null}
        {view.name === 'kit' ? <Kit user={user} text={view.text} epoch={view.epoch} onClose={onClose} /> : null}
      </DialogContent>
    </>
  )
}

type KitProps = { user: User; text: string; epoch: number; onClose: () => void }

function Kit({ user, text, epoch, onClose }: KitProps) {
  const { t } = useTranslation('company')
  const person = `${user.firstName} ${user.lastName}`
  return (
    <Stack>
      <RecoveryKit company={user.companyName} person={person} passphrase={text} epoch={epoch} />
      <Actions>
        <Button onClick={onClose}>{t('common:actions.done')}</Button>
      </Actions>
    </Stack>
  )
}

type StartProps = { passphrase: PassphraseFlow; onHolder: () => void; onClose: () => void }

function Start({ passphrase, onHolder, onClose }: StartProps) {
  const { ask } = passphrase
  const { t } = useTranslation('company')
  return (
    <Stack>
      <Lead>{t('passphrase.text')}</Lead>
      <MutationError mutation={ask} fallback={t('passphrase.revealFailed')} />
      <Actions>
        <Button variant="text" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
        <Button variant="outlined" disabled={ask.isPending} onClick={() => void ask.mutate('change')}>
          {t('common:actions.change')}
        </Button>
        <Button autoFocus pending={ask.isPending} onClick={() => void ask.mutate('reveal')}>
          {t('passphrase.reveal')}
        </Button>
      </Actions>
      <KeyHolderSection onOpen={onHolder} />
      <FormerPassphrases passphrase={passphrase} />
    </Stack>
  )
}
