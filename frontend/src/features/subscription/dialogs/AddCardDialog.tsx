import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { addCard, newSetupIntent } from '../api'
import { CardFrame } from '../CardFrame'
import type { DialogProps } from '../page/PageDialogs'
import { usePaymentChange } from '../use-payment-change'
import styles from './dialogs.module.css'

/** The card is typed into a page of another origin, shown inside; only its token comes back. */
export default function AddCardDialog({ open, onClose }: DialogProps) {
  const { t } = useTranslation('subscription')
  // A refusal appears under the card field instead, where it can be mended.
  const change = usePaymentChange(addCard, { done: 'toasts.added', onDone: onClose })

  async function add(token: string): Promise<string | null> {
    try {
      await change.mutateAsync(token)
      return null
    } catch (error) {
      return errorMessage(error, t('toasts.addFailed'))
    }
  }

  return (
    <Dialog open={open} onClose={change.isPending ? undefined : onClose} title={t('addCard.title')}>
      <DialogContent className={styles.frame}>
        <p className={styles.text}>{t('addCard.text')}</p>
        <CardFrame purpose="add" newIntent={newSetupIntent} onToken={add} />
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose} disabled={change.isPending}>
          {t('actions.close', { ns: 'common' })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
