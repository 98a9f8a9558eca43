import { homeOfUser } from '@/api/home'
import type { Session } from '@/api/session'

export type Access = 'public' | 'guest' | { permission: string; needsSubscription?: boolean; needsWarehouses?: boolean }

export type Decision = { allow: true } | { wait: true } | { redirect: string }

type Guarded = { path: string; access: Access; resumes?: boolean | undefined }

export function homeOf(session: Session): string {
  return session.status === 'signedIn' ? homeOfUser(session.user) : '/'
}

export function decide({ path, access }: Guarded, session: Session): Decision {
  if (access === 'public') return { allow: true }
  if (session.status === 'checking') return { wait: true }
  if (session.status === 'guest') {
    if (access === 'guest') return { allow: true }
    // After an expired session, the login page says so; other guests start at the landing page.
    return { redirect: session.reason ? '/login' : '/' }
  }
  const { user } = session
  const home = homeOfUser(user)
  if (access === 'guest' || !user.permissions.includes(access.permission)) return { redirect: home }
  // A home is never refused for want of a subscription: that would redirect in a circle.
  if (access.needsSubscription && !user.isSubscribed && home !== path) return { redirect: home }
  if (access.needsWarehouses && !user.canViewWarehouse) return { redirect: home }
  return { allow: true }
}

/** Where a fresh login goes: the page first asked for when the user may see it, else home. */
export function afterLogin(session: Session, wanted: Guarded | undefined, from: string | undefined): string {
  if (!from || !wanted || (wanted.access === 'public' && !wanted.resumes)) return homeOf(session)
  const decision = decide(wanted, session)
  return 'allow' in decision ? from : homeOf(session)
}
