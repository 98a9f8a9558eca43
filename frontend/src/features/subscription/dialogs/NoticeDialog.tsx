import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import styles from './dialogs.module.css'

type Props = { title: string; text: string; actions: ReactNode; onClose: () => void }

export function NoticeDialog({ title, text, actions, onClose }: Props) {
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
