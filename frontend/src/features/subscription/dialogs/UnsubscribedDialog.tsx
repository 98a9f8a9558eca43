import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { NoticeDialog } from './NoticeDialog'

type Props = { isDeactivated: boolean; onOpen: () => void; onClose: () => void }

export function UnsubscribedDialog({ isDeactivated, onOpen, onClose }: Props) {
  const { t } = useTranslation('subscription')
  return (
    <NoticeDialog
      title={t('unsubscribed.title')}
      text={isDeactivated ? t('unsubscribed.deactivated') : t('unsubscribed.text')}
      onClose={onClose}
      actions={<Button onClick={onOpen}>{t('unsubscribed.open')}</Button>}
    />
  )
}
