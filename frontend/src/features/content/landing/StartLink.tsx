import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { homeOfUser } from '@/api/home'
import button from '@/components/button.module.css'
import { useSession } from '@/hooks/use-session'
import styles from './landing.module.css'

/** The way in: sign-up for a guest, their own home for whoever is signed in already. */
export function StartLink({ label }: { label: string }) {
  const { t } = useTranslation('content')
  const session = useSession()
  if (session.status === 'signedIn') {
    return (
      <Link className={`${button.button} ${button.primary} ${styles.big}`} to={homeOfUser(session.user)}>
        {t('hero.goToApp')}
      </Link>
    )
  }
  // While a stored token is being checked the place is kept, so that no wrong button flashes up.
  const waiting = session.status === 'checking' ? styles.waiting : ''
  return (
    <Link className={`${button.button} ${button.primary} ${styles.big} ${waiting}`} to="/signup">
      {label}
    </Link>
  )
}
