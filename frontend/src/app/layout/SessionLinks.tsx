import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { homeOfUser } from '@/api/home'
import { LinkButton } from '@/components/Button'
import { useSession } from '@/hooks/use-session'
import { wantedPath } from '../navigation-state'
import styles from './PublicHeader.module.css'

const AccountMenu = lazy(() => import('./AccountMenu'))

// Users without console screens have nothing to go to from the download page.
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
        <LinkButton variant="plain" size="large" className={styles.action} to="/login" state={{ from }}>
          {t('header.login')}
        </LinkButton>
        <LinkButton size="large" className={styles.action} to="/signup">
          {t('screens.signup')}
        </LinkButton>
      </>
    )
  }
  const { user } = session
  const toApp = (
    <LinkButton size="large" className={styles.action} to={homeOfUser(user)}>
      {t('header.goToApp')}
    </LinkButton>
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
