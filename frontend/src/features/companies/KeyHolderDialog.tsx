import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog/Dialog'
import { useUser } from '@/hooks/use-session'
import { KeyHolderContent } from './key-holder/KeyHolderContent'

/** The team leader names, renews or removes the second key holder. */
export default function KeyHolderDialog({ onClose }: { onClose: () => void }) {
  useTranslation(['company', 'auth', 'errors', 'table'])
  const user = useUser()
  return <Dialog onClose={onClose}>{user ? <KeyHolderContent user={user} onClose={onClose} /> : null}</Dialog>
}
