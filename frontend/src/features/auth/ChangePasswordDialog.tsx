import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { useUser } from '@/hooks/use-session'
import { ChangePasswordForm } from './password/ChangePasswordForm'

type Props = { open: boolean; onClose: () => void }

export default function ChangePasswordDialog({ open, onClose }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const user = useUser()
  return (
    <Dialog open={open} onClose={onClose} title={t('change.title')}>
      <DialogContent>{user ? <ChangePasswordForm user={user} onClose={onClose} /> : null}</DialogContent>
    </Dialog>
  )
}
