import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { paymentQuery } from './api'
import { dialogStore, type SubscriptionDialog } from './dialog-store'
import styles from './dialogs/dialogs.module.css'

// Session storage is cleared at logout, so each login shows the notice again.
const seenKey = 'tessera.subscription.seen'

/** Tells a leader on arrival that the subscription is not active, once per login and state. */
export default function SubscriptionNotice() {
  const navigate = useNavigate()
  const { data: payment } = useQuery(paymentQuery)
  const [seen, setSeen] = useState(() => sessionStorage.getItem(seenKey))
  if (!payment || payment.isSubscribed) return null
  const state = `seen:${payment.status}`
  if (seen === state) return null

  const close = () => {
    sessionStorage.setItem(seenKey, state)
    setSeen(state)
  }
  const open = (dialog?: SubscriptionDialog) => {
    close()
    if (dialog) dialogStore.show(dialog)
    void navigate('/subscription')
  }
  if (payment.status === 'cancelled') return <CancelledDialog onChoose={open} onClose={close} />
  return <UnsubscribedDialog isDeactivated={payment.isDeactivated} onOpen={() => open()} onClose={close} />
}

type Props = { title: string; text: string; actions: ReactNode; onClose: () => void }

function NoticeDialog({ title, text, actions, onClose }: Props) {
  const { t } = useTranslation()
  const textId = useId()
  return (
    <Dialog open onClose={onClose} describedBy={textId} size="medium">
      <DialogTitle>{title}</DialogTitle>
      <DialogContent id={textId} muted>
        {text}
      </DialogContent>
      <DialogActions className={styles.choices}>
        <Button variant="text" onClick={onClose}>
          {t('actions.close')}
        </Button>
        {actions}
      </DialogActions>
    </Dialog>
  )
}

type CancelledDialogProps = { onChoose: (dialog: SubscriptionDialog) => void; onClose: () => void }

/** Shown when the subscription has ended, with the ways to reactivate it. */
function CancelledDialog({ onChoose, onClose }: CancelledDialogProps) {
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

type UnsubscribedDialogProps = { isDeactivated: boolean; onOpen: () => void; onClose: () => void }

function UnsubscribedDialog({ isDeactivated, onOpen, onClose }: UnsubscribedDialogProps) {
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
