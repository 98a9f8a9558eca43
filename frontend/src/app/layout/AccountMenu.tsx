import { useState } from 'react'
import type { User } from '@/api/session'
import { ActionDialog } from './console/ActionDialog'
import type { FrameAction } from './console/frame-action'
import { UserMenu } from './console/toolbar/UserMenu'
import { useLogout } from './console/use-logout'
import { userActions } from './console/user-actions'

/** The console's user menu on a public page: whoever has no other screen finds profile and logout here. */
export default function AccountMenu({ user }: { user: User }) {
  const [action, setAction] = useState<FrameAction | null>(null)
  const logout = useLogout()
  return (
    <>
      <UserMenu user={user} actions={userActions} onAction={setAction} onLogout={logout} />
      <ActionDialog action={action} onClose={() => setAction(null)} />
    </>
  )
}
