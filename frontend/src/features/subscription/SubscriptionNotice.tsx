import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { paymentQuery } from './api'
import { dialogStore, type SubscriptionDialog } from './dialog-store'
import styles from './dialogs/dialogs.module.css'

// Session storage is cleared at logout, so each login shows the notice again.
const seenKey = 'tessera.subscription.seen'

/** Tells a leader on arrival that the subscription has ended, once per login. Of other states, in which only the
 *  Subscription page is open, that page and the banner tell. */
export default function SubscriptionNotice() {
  const navigate = useNavigate()
  const { data: payment } = useQuery(paymentQuery)
  const [seen, setSeen] = useState(() => sessionStorage.getItem(seenKey))
  if (seen || payment?.status !== 'cancelled' || payment.isSubscribed) return null

  const close = () => {
    sessionStorage.setItem(seenKey, 'true')
    setSeen('true')
  }
  const open = (dialog: SubscriptionDialog) => {
    close()
    dialogStore.show(dialog)
    void navigate('/subscription')
  }
  return <CancelledDialog onChoose={open} onClose={close} />
}

type CancelledDialogProps = { onChoose: (dialog: SubscriptionDialog) => void; onClose: () => void }

/** Shown when the subscription has ended, with the ways to reactivate it. */
function CancelledDialog({ onChoose, onClose }: CancelledDialogProps) {
  const { t } = useTranslation(['subscription', 'common'])
  const textId = useId()
  return (
    <Dialog open onClose={onClose} describedBy={textId} size="medium">
      <DialogTitle>{t('cancelled.title')}</DialogTitle>
      <DialogContent id={textId} muted>
        {t('cancelled.text')}
      </DialogContent>
      <DialogActions className={styles.choices}>
        <Button variant="text" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
        <Button variant="text" onClick={() => onChoose('addCard')}>
          {t('buttons.addCard')}
        </Button>
        <Button onClick={() => onChoose('reactivate')}>{t('buttons.reactivate')}</Button>
      </DialogActions>
    </Dialog>
  )
}
