import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

type Props = { onLogin: () => void }

/** Stands where the page was: its data is gone with the session, its address is kept for after the login. */
export default function SessionExpiredDialog({ onLogin }: Props) {
  const { t } = useTranslation('auth')
  const ids = { title: useId(), text: useId() }
  return (
    <Dialog open role="alertdialog" aria-labelledby={ids.title} aria-describedby={ids.text} maxWidth="xs" fullWidth>
      <DialogTitle id={ids.title}>{t('expired.title')}</DialogTitle>
      <DialogContent id={ids.text} sx={{ color: 'text.secondary' }}>
        {t('expired.text')}
      </DialogContent>
      <DialogActions sx={{ paddingInline: 3, paddingBlockEnd: 2.5 }}>
        <Button variant="contained" autoFocus onClick={onLogin}>
          {t('expired.login')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
