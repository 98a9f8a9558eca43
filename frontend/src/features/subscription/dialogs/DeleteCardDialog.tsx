import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { deleteCard, type Card } from '../api'
import { brandName } from '../page/BrandLogo'
import { usePaymentChange } from '../use-payment-change'

export default function DeleteCardDialog({ card, onClose }: { card: Card; onClose: () => void }) {
  const { t } = useTranslation('subscription')
  const change = usePaymentChange(deleteCard, {
    done: 'toasts.deleted',
    failed: 'toasts.deleteFailed',
    onDone: onClose,
  })
  const name = { brand: brandName(card.brand) ?? t('cards.card'), last4: card.last4 }
  return (
    <ConfirmDialog
      open
      destructive
      title={t('deleteCard.title', name)}
      confirmLabel={t('cards.delete')}
      pending={change.isPending}
      onConfirm={() => void change.mutate(card.id)}
      onClose={onClose}
    >
      {t('deleteCard.text')}
    </ConfirmDialog>
  )
}
