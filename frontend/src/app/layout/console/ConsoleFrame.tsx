import { lazy, Suspense, useEffect, useEffectEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { User } from '@/api/session'
import { useMediaQuery } from '@/hooks/use-media-query'
import { useUser } from '@/hooks/use-session'
import { currentLanguage, i18n } from '@/i18n/i18n'
import { LANGUAGE_NAMES } from '@/i18n/languages'
import { useSettings } from '@/lib/settings'
import styles from './ConsoleFrame.module.css'
import { companyActions } from './frame-actions'
import { SideMenu } from './menu/SideMenu'
import { Toolbar } from './toolbar/Toolbar'
import { useConfig } from './use-config'
import { useFrameParts } from './use-frame-parts'
import { useLogout } from './use-logout'

const WARM_UP_MS = 1500
const loadOverlays = async () => {
  const [module] = await Promise.all([import('./FrameOverlays'), i18n.loadNamespaces('overlays')])
  return module
}
const FrameOverlays = lazy(loadOverlays)
const loadActions = () => import('./ActionDialog')
const ActionDialog = lazy(loadActions)
const ChatFrame = lazy(() => import('./ChatFrame'))
const SubscriptionNotice = lazy(() => import('@/features/subscription/SubscriptionNotice'))
const CompanyBanner = lazy(() => import('./CompanyBanner'))
const SecondFactorNotice = lazy(() => import('@/features/auth/SecondFactorNotice'))
const EmailBanner = lazy(() => import('@/features/auth/EmailBanner'))

type FrameProps = { children: ReactNode }

/** Shows users who can manage the subscription that it is not active. */
function needsSubscriptionNotice({ isSubscribed, permissions }: User): boolean {
  return !isSubscribed && permissions.includes('subscription:manage')
}

const passphraseAction = companyActions.find(({ id }) => id === 'passphrase')

/** The frame around every console screen. Renders nothing between a sign-out and the redirect. */
export default function ConsoleFrame({ children }: FrameProps) {
  const user = useUser()
  return user && <Frame user={user}>{children}</Frame>
}

function Frame({ user, children }: FrameProps & { user: User }) {
  const { menuSide, width } = useSettings()
  const config = useConfig()
  const phone = useMediaQuery('(max-width: 899px)')
  const { part, action, show, toggleSearch, close, run, endAction } = useFrameParts()
  const logout = useLogout()
  useSearchShortcut(toggleSearch)
  // Preloaded, because users start typing right after Ctrl K, and fingers do not hover over menus.
  useEffect(() => {
    const timer = window.setTimeout(() => {
      void loadOverlays()
      void loadActions()
    }, WARM_UP_MS)
    return () => window.clearTimeout(timer)
  }, [])

  return (
    <div className={styles.frame} data-side={menuSide} data-width={width}>
      {phone ? null : <SideMenu user={user} />}
      <div className={styles.column}>
        <Toolbar user={user} burger={phone} onOpen={show} onAction={run} onLogout={logout} />
        <Suspense fallback={null}>{!user.emailConfirmed && <EmailBanner address={user.email_address} />}</Suspense>
        <Suspense fallback={null}>
          {user.permissions.includes('subscription:manage') && (
            <CompanyBanner onPassphrase={() => passphraseAction && run(passphraseAction)} />
          )}
        </Suspense>
        <main className={styles.main} id="content" tabIndex={-1}>
          {user.secondFactorAccepted ? (
            children
          ) : (
            <Suspense fallback={null}>
              <SecondFactorNotice onLogout={logout} />
            </Suspense>
          )}
        </main>
        <ConsoleFooter />
      </div>
      <Suspense fallback={null}>
        {part && <FrameOverlays user={user} part={part} onClose={close} controls={{ show, run, logout }} />}
      </Suspense>
      <Suspense fallback={null}>{needsSubscriptionNotice(user) && <SubscriptionNotice />}</Suspense>
      <Suspense fallback={null}>{action && <ActionDialog action={action} onClose={endAction} />}</Suspense>
      <Suspense fallback={null}>{config?.chatUrl && <ChatFrame url={config.chatUrl} />}</Suspense>
    </div>
  )
}

function ConsoleFooter() {
  const { t } = useTranslation('console')
  const config = useConfig()
  return (
    <footer className={styles.footer} data-chat={Boolean(config?.chatUrl)}>
      {config && <bdi dir="ltr">Tessera {config.version}</bdi>}
      <Link to="/agreement">{t('common:screens.agreement')}</Link>
      {config && <SupportLink email={config.supportEmail} url={config.supportUrl} />}
      <span className={styles.language}>{LANGUAGE_NAMES[currentLanguage()]}</span>
    </footer>
  )
}

function SupportLink({ email, url }: { email: string; url: string | null | undefined }) {
  const { t } = useTranslation('console')
  if (!url && !email) return null
  return <a href={url ?? `mailto:${email}`}>{t('common:footer.support')}</a>
}

/** Ctrl K or ⌘ K, by the key's position: an Arabic keyboard has another letter there. */
function useSearchShortcut(onPress: () => void): void {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (event.code !== 'KeyK' && event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      press()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
