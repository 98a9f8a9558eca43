import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { NoticeDialog } from './NoticeDialog'

type Props = { isDeactivated: boolean; onOpen: () => void; onClose: () => void }

export function UnsubscribedDialog({ isDeactivated, onOpen, onClose }: Props) {
  const { t } = useTranslation('subscription')
  return (
    <NoticeDialog
      title={t('unsubscribed.title')}
      text={isDeactivated ? t('unsubscribed.deactivated') : t('unsubscribed.text')}
      onClose={onClose}
      actions={
        <Button variant="contained" onClick={onOpen}>
          {t('unsubscribed.open')}
        </Button>
      }
    />
  )
}
