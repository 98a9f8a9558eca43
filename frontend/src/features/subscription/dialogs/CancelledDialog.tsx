import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import type { SubscriptionDialog } from '../dialog-store'
import { NoticeDialog } from './NoticeDialog'

type Props = { onChoose: (dialog: SubscriptionDialog) => void; onClose: () => void }

/** The subscription has ended: a valid payment method or a reactivation brings it back. */
export function CancelledDialog({ onChoose, onClose }: Props) {
  const { t } = useTranslation('subscription')
  return (
    <NoticeDialog
      title={t('cancelled.title')}
      text={t('cancelled.text')}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={() => onChoose('addCard')}>
            {t('buttons.addCard')}
          </Button>
          <Button onClick={() => onChoose('reactivate')}>{t('buttons.reactivate')}</Button>
        </>
      }
    />
  )
}
