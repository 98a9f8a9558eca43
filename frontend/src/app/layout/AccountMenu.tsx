import { lazy, Suspense, useState } from 'react'
import type { User } from '@/api/session'
import { userActions, type FrameAction } from './console/frame-actions'
import { UserMenu } from './console/toolbar/UserMenu'
import { useLogout } from './console/use-logout'

const ActionDialog = lazy(() => import('./console/ActionDialog'))
const ConsoleProviders = lazy(() => import('@/app/ConsoleProviders'))

/** The console's user menu on a public page, for users who have no console screen. */
export default function AccountMenu({ user }: { user: User }) {
  const [action, setAction] = useState<FrameAction | null>(null)
  const logout = useLogout()
  return (
    <>
      <UserMenu user={user} actions={userActions} onAction={setAction} onLogout={logout} />
      {action ? (
        <Suspense fallback={null}>
          <ConsoleProviders>
            <ActionDialog action={action} onClose={() => setAction(null)} />
          </ConsoleProviders>
        </Suspense>
      ) : null}
    </>
  )
}
