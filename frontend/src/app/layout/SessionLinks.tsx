import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { homeOfUser } from '@/api/home'
import buttons from '@/components/button.module.css'
import { useSession } from '@/hooks/use-session'
import { wantedPath } from '../navigation-state'
import styles from './PublicHeader.module.css'

const AccountMenu = lazy(() => import('./AccountMenu'))

// Whoever has no screens besides the download page has no app to go to from there.
const appPermissions = ['members:manage', 'companies:manage']

/** Login and Sign Up for guests, Go to App for everybody else; nothing while that is not known yet. */
export function SessionLinks({ path }: { path: string }) {
  const { t } = useTranslation()
  const from = wantedPath(useLocation())
  const session = useSession()

  if (session.status === 'checking') return <span className={styles.pending} />
  if (session.status === 'guest') {
    return (
      <>
        <Link to="/login" state={{ from }} className={`${buttons.button} ${buttons.quiet} ${styles.action}`}>
          {t('header.login')}
        </Link>
        <Link to="/signup" className={`${buttons.button} ${buttons.primary} ${styles.action}`}>
          {t('header.signUp')}
        </Link>
      </>
    )
  }
  const { user } = session
  const toApp = (
    <Link to={homeOfUser(user)} className={`${buttons.button} ${buttons.primary} ${styles.action}`}>
      {t('header.goToApp')}
    </Link>
  )
  if (path !== '/download') return toApp
  return (
    <>
      {appPermissions.some((name) => user.permissions.includes(name)) ? toApp : null}
      <Suspense fallback={<span className={styles.icon} />}>
        <AccountMenu user={user} />
      </Suspense>
    </>
  )
}
