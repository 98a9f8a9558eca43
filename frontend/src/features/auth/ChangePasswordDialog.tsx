import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/hooks/use-session'
import { ChangePasswordForm } from './password/ChangePasswordForm'

type Props = { open: boolean; onClose: () => void }

export default function ChangePasswordDialog({ open, onClose }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const titleId = useId()
  const user = useUser()
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>{t('change.title')}</DialogTitle>
      <DialogContent>{user ? <ChangePasswordForm user={user} onClose={onClose} /> : null}</DialogContent>
    </Dialog>
  )
}
