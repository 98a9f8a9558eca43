import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSecondsLeft } from '@/hooks/use-seconds-left'
import { useStore } from '@/lib/create-store'
import { idleStore } from './idle-store'
import { CountdownRing } from './inactivity/CountdownRing'
import { IDLE_LIMITS } from './inactivity/idle-limits'
import styles from './inactivity/inactivity.module.css'

/** Are you still there? Thirty seconds to answer, in every tab. */
export default function InactivityDialog({ onLogout }: { onLogout: () => void }) {
  const { t } = useTranslation('auth')
  const ids = { title: useId(), text: useId() }
  const endsAt = useStore(idleStore)
  const seconds = useSecondsLeft(endsAt)
  const spoken = Math.ceil(seconds / 10) * 10
  return (
    <Dialog
      open={endsAt !== null}
      role="alertdialog"
      aria-labelledby={ids.title}
      aria-describedby={ids.text}
      maxWidth="xs"
      fullWidth
    >
      <DialogTitle id={ids.title}>{t('inactivity.title')}</DialogTitle>
      <DialogContent className={styles.content}>
        <CountdownRing seconds={seconds} of={IDLE_LIMITS.countdown / 1000} />
        <div>
          <p id={ids.text} className={styles.text}>
            {t('inactivity.text')}
          </p>
          <p className={styles.left} aria-hidden>
            {t('inactivity.left', { count: seconds })}
          </p>
          {/* Every ten seconds is enough to hear. */}
          <p className="t-hidden" role="status">
            {endsAt === null ? '' : t('inactivity.left', { count: spoken })}
          </p>
        </div>
      </DialogContent>
      <DialogActions className={styles.actions}>
        <Button onClick={onLogout}>{t('inactivity.logout')}</Button>
        <Button variant="contained" autoFocus onClick={() => idleStore.stay()}>
          {t('inactivity.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
