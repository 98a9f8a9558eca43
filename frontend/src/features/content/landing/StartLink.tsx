import { useTranslation } from 'react-i18next'
import { homeOfUser } from '@/api/home'
import { LinkButton } from '@/components/Button'
import { useSession } from '@/hooks/use-session'
import styles from './landing.module.css'

/** Links to the sign-up for guests, and to the console for signed-in users. */
export function StartLink({ label }: { label: string }) {
  const { t } = useTranslation('content')
  const session = useSession()
  if (session.status === 'signedIn') {
    return (
      <LinkButton size="xlarge" to={homeOfUser(session.user)}>
        {t('common:header.goToApp')}
      </LinkButton>
    )
  }
  // While a stored token is being checked, the space is reserved, so that no wrong button flashes.
  const waiting = session.status === 'checking' ? styles.waiting : undefined
  return (
    <LinkButton size="xlarge" className={waiting} to="/signup">
      {label}
    </LinkButton>
  )
}
