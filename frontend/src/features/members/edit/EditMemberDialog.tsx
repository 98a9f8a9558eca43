import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import type { Member } from '../api'
import { EditMemberForm } from './EditMemberForm'

type Props = { member: Member; onClose: () => void }

export default function EditMemberDialog({ member, onClose }: Props) {
  const { t } = useTranslation(['members', 'auth', 'errors'])
  return (
    <Dialog open onClose={onClose} size="medium" title={t('edit.title')}>
      <DialogContent>
        <EditMemberForm member={member} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}
