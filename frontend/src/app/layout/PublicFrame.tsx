import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '@/hooks/use-session'
import { supportEmail } from '@/lib/support-email'
import type { AppRoute } from '../routes'
import styles from './PublicFrame.module.css'
import { PublicHeader } from './PublicHeader'

const KeyHolderNotice = lazy(() => import('./KeyHolderNotice'))

const pages = { '/agreement': 'agreement', '/privacy': 'privacy', '/data-processing': 'processing', '/api': 'api' }

type Props = { route: AppRoute; children: ReactNode }

export default function PublicFrame({ route, children }: Props) {
  const session = useSession()
  // The page where team members are.
  const isHolder = route.path === '/download' && session.status === 'signedIn' && session.user.isKeyHolder
  return (
    <div className={styles.frame}>
      <PublicHeader path={route.path} />
      <main id="content" tabIndex={-1} className={styles.main}>
        {route.access === 'guest' ? <SessionNotice /> : null}
        <Suspense fallback={null}>{isHolder ? <KeyHolderNotice /> : null}</Suspense>
        {children}
      </main>
      <PublicFooter />
    </div>
  )
}

function PublicFooter() {
  const { t } = useTranslation()
  return (
    <footer className={`t-line t-soft ${styles.footer}`}>
      <span>
        <bdi dir="ltr">© {new Date().getFullYear()} Tessera</bdi>
      </span>
      {Object.entries(pages).map(([path, screen]) => (
        <Link key={path} to={path}>
          {t(`screens.${screen}`)}
        </Link>
      ))}
      <a href={`mailto:${supportEmail()}`}>{t('footer.support')}</a>
      <span className={styles.version}>
        {t('footer.version')} <bdi dir="ltr">{__APP_VERSION__}</bdi>
      </span>
    </footer>
  )
}

/** Says that the session has ended. */
function SessionNotice() {
  const { t } = useTranslation()
  const session = useSession()
  if (session.status !== 'guest' || !session.reason || session.reason === 'loggedOut') return null
  return (
    <p className={`t-note ${styles.notice}`} role="status">
      {t(`session.${session.reason}`)}
    </p>
  )
}
