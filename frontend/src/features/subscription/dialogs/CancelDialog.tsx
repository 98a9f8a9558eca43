import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { TextAreaField } from '@/components/forms/TextAreaField'
import { cancelSubscription } from '../api'
import type { DialogProps } from '../dialog-store'
import { usePaymentChange } from '../use-payment-change'
import styles from './dialogs.module.css'
import { NoticeText } from './NoticeText'

const REASON_LENGTH = 500

export default function CancelDialog({ payment, open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  const [reason, setReason] = useState('')
  const change = usePaymentChange(cancelSubscription, {
    done: 'toasts.cancelled',
    failed: 'toasts.cancelFailed',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open={open}
      destructive
      title={t('cancel.title')}
      confirmLabel={t('buttons.cancel')}
      cancelLabel={t('cancel.keep')}
      pending={change.isPending}
      onConfirm={() => void change.mutate({ reason: reason.trim(), endsAt: payment.notice?.endsAt ?? null })}
      onClose={onClose}
    >
      <div className={styles.until}>
        <NoticeText payment={payment} />
      </div>
      <TextAreaField
        label={t('cancel.reason')}
        maxLength={REASON_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
