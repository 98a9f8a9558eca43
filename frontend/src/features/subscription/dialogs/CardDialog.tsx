import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { newSetupIntent } from '../api'
import { CardFrame } from '../CardFrame'
import styles from './dialogs.module.css'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  purpose: 'add' | 'pay' | 'reactivate'
  pending: boolean
  /** Rejects with what is shown under the card field, where it can be corrected. */
  onToken: (token: string) => Promise<unknown>
  failed: string
  children: ReactNode
}

/** The card is typed into a page of another origin, shown inside; only its token is returned. */
export function CardDialog({ open, onClose, title, purpose, pending, onToken, failed, children }: Props) {
  const { t } = useTranslation('subscription')

  async function submit(token: string): Promise<string | null> {
    try {
      await onToken(token)
      return null
    } catch (error) {
      return errorMessage(error, failed)
    }
  }

  return (
    <Dialog open={open} onClose={pending ? undefined : onClose} title={title}>
      <DialogContent className={styles.frame}>
        {children}
        <CardFrame purpose={purpose} newIntent={newSetupIntent} onToken={submit} />
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose} disabled={pending}>
          {t('actions.close', { ns: 'common' })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
