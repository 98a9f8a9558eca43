import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'

type Props = { onLogin: () => void }

/** Replaces the page, whose data is gone with the session. Its URL is kept for after the login. */
export default function SessionExpiredDialog({ onLogin }: Props) {
  const { t } = useTranslation('auth')
  const textId = useId()
  return (
    <Dialog open role="alertdialog" describedBy={textId} title={t('expired.title')}>
      <DialogContent id={textId} muted>
        {t('expired.text')}
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onLogin}>
          {t('expired.login')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
