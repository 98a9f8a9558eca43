import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { idleStore, startIdleWatch } from '@/features/auth/idle-store'
import { followLanguage } from '@/features/auth/language'
import { verificationStore } from '@/features/auth/verification-store'

const SessionDialogs = lazy(() => import('./SessionDialogs'))

/** Stands beside every page while somebody is signed in, the public ones too: watches for inactivity and keeps
 *  the chosen language. The dialogs, and MUI with them, are fetched when one has to be shown. */
export default function SessionGuard() {
  useEffect(() => startIdleWatch(), [])
  useEffect(() => followLanguage(), [])
  const idle = useSyncExternalStore(idleStore.subscribe, idleStore.get) !== null
  const asked = useSyncExternalStore(verificationStore.subscribe, verificationStore.get).status !== 'closed'
  const [used, setUsed] = useState(false)
  if (!used && (idle || asked)) setUsed(true)
  return <Suspense fallback={null}>{used ? <SessionDialogs /> : null}</Suspense>
}
