import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import type { User } from '@/api/session'
import { useMediaQuery } from '@/hooks/use-media-query'
import { useUser } from '@/hooks/use-session'
import { useSettings } from '@/lib/settings'
import { ActionDialog } from './ActionDialog'
import { ConsoleFooter } from './ConsoleFooter'
import styles from './ConsoleFrame.module.css'
import { MenuDrawer } from './menu/MenuDrawer'
import { SideMenu } from './menu/SideMenu'
import { Toolbar } from './toolbar/Toolbar'
import { useConfig } from './use-config'
import { useFrameParts } from './use-frame-parts'
import { useLogout } from './use-logout'
import { useSearchShortcut } from './use-search-shortcut'

const WARM_UP_MS = 1500
const loadOverlays = () => import('./FrameOverlays')
const FrameOverlays = lazy(loadOverlays)
const ChatFrame = lazy(() => import('./ChatFrame'))
const SubscriptionNotice = lazy(() => import('@/features/subscription/SubscriptionNotice'))
const EmailBanner = lazy(() => import('@/features/auth/EmailBanner'))

type FrameProps = { children: ReactNode }

/** Whoever can do something about a subscription that is not active hears of it on arrival. */
function toldOfSubscription({ isSubscribed, permissions }: User): boolean {
  return !isSubscribed && permissions.includes('subscription:manage')
}

/** What surrounds every console screen. Between a sign-out and the redirect there is nobody to show it to. */
export default function ConsoleFrame({ children }: FrameProps) {
  const user = useUser()
  return user && <Frame user={user}>{children}</Frame>
}

function Frame({ user, children }: FrameProps & { user: User }) {
  const { menuSide, width } = useSettings()
  const config = useConfig()
  const phone = useMediaQuery('(max-width: 899px)')
  const { part, action, used, show, toggleSearch, close, run, endAction } = useFrameParts()
  const logout = useLogout()
  useSearchShortcut(toggleSearch)
  // Whoever presses Ctrl K begins to type at once, so the search is fetched before it is asked for.
  useEffect(() => {
    const timer = window.setTimeout(() => void loadOverlays(), WARM_UP_MS)
    return () => window.clearTimeout(timer)
  }, [])

  return (
    <div className={styles.frame} data-side={menuSide} data-width={width}>
      {phone ? <MenuDrawer user={user} open={part === 'menu'} onClose={close} /> : <SideMenu user={user} />}
      <div className={styles.column}>
        <Toolbar user={user} burger={phone} onOpen={show} onAction={run} onLogout={logout} />
        <Suspense fallback={null}>{!user.emailConfirmed && <EmailBanner address={user.email_address} />}</Suspense>
        <main className={styles.main} id="content" tabIndex={-1}>
          {children}
        </main>
        <ConsoleFooter />
      </div>
      <Suspense fallback={null}>
        {used && <FrameOverlays user={user} part={part} onClose={close} controls={{ show, run, logout }} />}
      </Suspense>
      <Suspense fallback={null}>{toldOfSubscription(user) && <SubscriptionNotice />}</Suspense>
      <ActionDialog action={action} onClose={endAction} />
      <Suspense fallback={null}>{config?.chatUrl && <ChatFrame url={config.chatUrl} />}</Suspense>
    </div>
  )
}
