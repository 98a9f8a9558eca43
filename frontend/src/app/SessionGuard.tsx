import { lazy, Suspense, useEffect, useState } from 'react'
import { verificationStore } from '@/api/verification'
import { idleStore, startIdleWatch } from '@/features/auth/idle-store'
import { followLanguage } from '@/features/auth/language'
import { useStore } from '@/lib/create-store'

const SessionDialogs = lazy(() => import('./SessionDialogs'))

/** Rendered beside every page, also public ones, while a user is signed in: watches for inactivity and saves the
 *  chosen language. Its dialogs are loaded when needed. */
export default function SessionGuard() {
  useEffect(() => startIdleWatch(), [])
  useEffect(() => followLanguage(), [])
  const idle = useStore(idleStore) !== null
  const asked = useStore(verificationStore).status !== 'closed'
  const [used, setUsed] = useState(false)
  if (!used && (idle || asked)) setUsed(true)
  return <Suspense fallback={null}>{used ? <SessionDialogs /> : null}</Suspense>
}
