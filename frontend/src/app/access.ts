import { homeOfUser } from '@/api/home'
import type { Session, User } from '@/api/session'

type Needs = { permission: string; needsSubscription?: boolean; needsWarehouses?: boolean }

export type Access = 'public' | 'guest' | Needs

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
  // A home is never refused for want of a subscription: that would redirect in a circle.
  const visitor = home === path ? { ...user, isSubscribed: true } : user
  return access !== 'guest' && fulfils(visitor, access) ? { allow: true } : { redirect: home }
}

export function fulfils(user: User, { permission, needsSubscription, needsWarehouses }: Needs): boolean {
  if (!user.permissions.includes(permission)) return false
  return (!needsSubscription || user.isSubscribed) && (!needsWarehouses || user.canViewWarehouse)
}

/** Where a fresh login goes: the page first asked for when the user may see it, else home. */
export function afterLogin(session: Session, wanted: Guarded | undefined, from: string | undefined): string {
  if (!from || !wanted || (wanted.access === 'public' && !wanted.resumes)) return homeOf(session)
  const decision = decide(wanted, session)
  return 'allow' in decision ? from : homeOf(session)
}
