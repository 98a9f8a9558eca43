import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { useSecondsLeft } from '@/hooks/use-seconds-left'
import { useStore } from '@/lib/create-store'
import { idleStore } from './idle-store'
import { CountdownRing } from './inactivity/CountdownRing'
import { IDLE_LIMITS } from './inactivity/idle-limits'
import styles from './inactivity/inactivity.module.css'

/** Are you still there? Thirty seconds to answer, in every tab. */
export default function InactivityDialog({ onLogout }: { onLogout: () => void }) {
  const { t } = useTranslation('auth')
  const textId = useId()
  const endsAt = useStore(idleStore)
  const seconds = useSecondsLeft(endsAt)
  const spoken = Math.ceil(seconds / 10) * 10
  return (
    <Dialog open={endsAt !== null} role="alertdialog" describedBy={textId} title={t('inactivity.title')}>
      <DialogContent className={styles.content}>
        <CountdownRing seconds={seconds} of={IDLE_LIMITS.countdown / 1000} />
        <div>
          <p id={textId} className={styles.text}>
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
      <DialogActions>
        <Button variant="text" onClick={onLogout}>
          {t('inactivity.logout')}
        </Button>
        <Button autoFocus onClick={() => idleStore.stay()}>
          {t('inactivity.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
