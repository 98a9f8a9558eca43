import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Member } from '../api/list-members'
import { EditMemberForm } from './EditMemberForm'

type Props = { member: Member; onClose: () => void }

export default function EditMemberDialog({ member, onClose }: Props) {
  const { t } = useTranslation(['members', 'auth', 'errors'])
  const titleId = useId()
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('edit.title')}</DialogTitle>
      <DialogContent>
        <EditMemberForm member={member} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}
