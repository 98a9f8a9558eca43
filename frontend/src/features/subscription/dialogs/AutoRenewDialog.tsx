import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { setAutoRenew } from '../api'
import type { DialogProps } from '../dialog-store'
import { usePaymentChange } from '../use-payment-change'
import { NoticeText } from './NoticeText'

/** Turning Auto Renew off after the notice deadline, when another term is still due. */
export default function AutoRenewDialog({ payment, open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  const change = usePaymentChange(setAutoRenew, {
    done: 'toasts.changed',
    failed: 'toasts.changeFailed',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open={open}
      title={t('autoRenewOff.title')}
      confirmLabel={t('autoRenewOff.confirm')}
      pending={change.isPending}
      onConfirm={() => void change.mutate(false)}
      onClose={onClose}
    >
      <NoticeText payment={payment} />
    </ConfirmDialog>
  )
}
