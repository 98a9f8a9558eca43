import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Dialog, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { UnlockForm } from '@/components/forms/UnlockForm'
import { useUser } from '@/hooks/use-session'
import { HandToLeader } from './key-holder/HandToLeader'
import { HeldKeyStatus } from './key-holder/HeldKeyStatus'
import { useHeldKey } from './key-holder/use-held-key'
import { Revealed } from './passphrase/Revealed'
import { SenderForm } from './passphrase/SenderForm'

/** What the second key holder does with the company key. */
export default function HeldKeyDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  return <Dialog onClose={onClose}>{user ? <Content user={user} onClose={onClose} /> : null}</Dialog>
}

function Content({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(['company', 'auth', 'errors'])
  const held = useHeldKey(user)
  const { view, toStart } = held
  return (
    <>
      <DialogTitle>{t(`heldKey.titles.${view.name}`)}</DialogTitle>
      <DialogContent>
        {view.name === 'start' ? <HeldKeyStatus held={held} onClose={onClose} /> : null}
        {view.name === 'unlock' ? <UnlockForm {...held} onClose={toStart} /> : null}
        {view.name === 'sender' ? <SenderForm sender={view.sender} compare={held.compare} onClose={toStart} /> : null}
        {view.name === 'shown' ? (
          <Revealed text={view.text} label={t('heldKey.titles.shown')} onHide={toStart} onClose={onClose} />
        ) : null}
        {view.name === 'handOver' ? <HandToLeader user={user} leader={view.leader} onBack={toStart} /> : null}
      </DialogContent>
    </>
  )
}
