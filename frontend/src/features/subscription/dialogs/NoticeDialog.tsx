import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './dialogs.module.css'

type Props = { title: string; text: string; actions: ReactNode; onClose: () => void }

export function NoticeDialog({ title, text, actions, onClose }: Props) {
  const { t } = useTranslation()
  const ids = { title: useId(), text: useId() }
  return (
    <Dialog open onClose={onClose} aria-labelledby={ids.title} aria-describedby={ids.text} maxWidth="sm" fullWidth>
      <DialogTitle id={ids.title}>{title}</DialogTitle>
      <DialogContent id={ids.text} sx={{ color: 'text.secondary' }}>
        {text}
      </DialogContent>
      <DialogActions className={`${styles.actions} ${styles.choices}`}>
        <Button onClick={onClose}>{t('actions.close')}</Button>
        {actions}
      </DialogActions>
    </Dialog>
  )
}
