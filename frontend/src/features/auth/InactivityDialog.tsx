import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { useSecondsLeft } from '@/hooks/use-seconds-left'
import { useStore } from '@/lib/create-store'
import { idleStore } from './idle-store'
import { IDLE_LIMITS } from './inactivity/idle-watch'
import styles from './inactivity/inactivity.module.css'

const radius = 26
const around = 2 * Math.PI * radius

/** Asks whether the user is still there, for thirty seconds, in every tab. */
export default function InactivityDialog({ onLogout }: { onLogout: () => void }) {
  const { t } = useTranslation('auth')
  const textId = useId()
  const endsAt = useStore(idleStore)
  const seconds = useSecondsLeft(endsAt)
  const spoken = Math.ceil(seconds / 10) * 10
  if (endsAt === null) return null
  return (
    <Dialog role="alertdialog" describedBy={textId} title={t('inactivity.title')}>
      <DialogContent className={styles.content}>
        <CountdownRing seconds={seconds} of={IDLE_LIMITS.countdown / 1000} />
        <div>
          <p id={textId} className={styles.text}>
            {t('inactivity.text')}
          </p>
          <p className={styles.left} aria-hidden>
            {t('inactivity.left', { count: seconds })}
          </p>
          {/* Announced every ten seconds only. */}
          <p className="t-hidden" role="status">
            {t('inactivity.left', { count: spoken })}
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

type Props = { seconds: number; of: number }

/** The remaining time as a ring. The text beside it says the same. */
function CountdownRing({ seconds, of }: Props) {
  const gone = around * (1 - Math.min(1, seconds / of))
  return (
    <svg width="64" height="64" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <circle cx="32" cy="32" r={radius} fill="none" stroke="var(--t-line)" strokeWidth="6" />
      <circle
        cx="32"
        cy="32"
        r={radius}
        fill="none"
        stroke="var(--t-primary)"
        strokeWidth="6"
        strokeLinecap="round"
        strokeDasharray={around}
        strokeDashoffset={gone}
        transform="rotate(-90 32 32)"
      />
      <text x="32" y="38" textAnchor="middle" fontSize="18" fontWeight="650" fill="var(--t-ink)">
        {seconds}
      </text>
    </svg>
  )
}
