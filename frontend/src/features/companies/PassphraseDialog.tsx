import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Dialog, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { useUser } from '@/hooks/use-session'
import { ChangeForm } from './passphrase/ChangeForm'
import { Kit } from './passphrase/Kit'
import { Revealed } from './passphrase/Revealed'
import { Start } from './passphrase/Start'
import { UnlockForm } from './passphrase/UnlockForm'
import { usePassphrase } from './passphrase/use-passphrase'

type Props = { open: boolean; onClose: () => void }

export default function PassphraseDialog({ open, onClose }: Props) {
  const user = useUser()
  return (
    <Dialog open={open} onClose={onClose}>
      {user ? <Content user={user} onClose={onClose} /> : null}
    </Dialog>
  )
}

/** Apart from the dialog: what it has shown is forgotten when it closes. */
function Content({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(['company', 'auth', 'errors'])
  const passphrase = usePassphrase(user)
  const { view } = passphrase
  const title = view.name === 'change' && view.why !== 'change' ? 'enter' : view.name
  return (
    <>
      <DialogTitle>{t(`passphrase.title.${title}`)}</DialogTitle>
      <DialogContent>
        {view.name === 'start' ? <Start passphrase={passphrase} onClose={onClose} /> : null}
        {view.name === 'unlock' ? <UnlockForm passphrase={passphrase} onClose={onClose} /> : null}
        {view.name === 'shown' ? <Revealed text={view.text} passphrase={passphrase} onClose={onClose} /> : null}
        {view.name === 'change' ? <ChangeForm why={view.why} passphrase={passphrase} onClose={onClose} /> : null}
        {view.name === 'kit' ? <Kit user={user} text={view.text} epoch={view.epoch} onClose={onClose} /> : null}
      </DialogContent>
    </>
  )
}
