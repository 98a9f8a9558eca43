import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/ConfirmDialog'
import { formatDate } from '@/i18n/format'
import { cancelSubscription } from '../api/cancel-subscription'
import type { DialogProps } from '../page/PageDialogs'
import { usePaymentChange } from '../use-payment-change'

const REASON_LENGTH = 500

export default function CancelDialog({ payment, open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  const [reason, setReason] = useState('')
  const change = usePaymentChange(cancelSubscription, { done: 'toasts.cancelled', failed: 'toasts.cancelFailed' })
  return (
    <ConfirmDialog
      open={open}
      destructive
      title={t('cancel.title')}
      confirmLabel={t('buttons.cancel')}
      cancelLabel={t('cancel.keep')}
      pending={change.isPending}
      onConfirm={() => change.mutate(reason.trim(), { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {payment.renewalDate ? t('cancel.until', { date: formatDate(payment.renewalDate, 'long') }) : t('cancel.atOnce')}
      </p>
      <TextField
        label={t('cancel.reason')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        multiline
        minRows={2}
        fullWidth
        margin="dense"
        slotProps={{ htmlInput: { maxLength: REASON_LENGTH } }}
      />
    </ConfirmDialog>
  )
}
