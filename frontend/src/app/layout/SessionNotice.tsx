import { useTranslation } from 'react-i18next'
import { useSession } from '@/hooks/use-session'
import styles from './SessionNotice.module.css'

/** Why one is here again: the session ended without being asked to. */
export function SessionNotice() {
  const { t } = useTranslation()
  const session = useSession()
  if (session.status !== 'guest' || !session.reason || session.reason === 'loggedOut') return null
  return (
    <p className={styles.notice} role="status">
      {t(`session.${session.reason}`)}
    </p>
  )
}
