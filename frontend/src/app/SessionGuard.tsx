import { lazy, Suspense, useEffect, useState } from 'react'
import { verificationStore } from '@/api/verification'
import { idleStore, startIdleWatch } from '@/features/auth/idle-store'
import { followLanguage } from '@/features/auth/language'
import { useStore } from '@/lib/create-store'

const SessionDialogs = lazy(() => import('./SessionDialogs'))

/** Stands beside every page while somebody is signed in, the public ones too: watches for inactivity and keeps
 *  the chosen language. The dialogs, and MUI with them, are fetched when one has to be shown. */
export default function SessionGuard() {
  useEffect(() => startIdleWatch(), [])
  useEffect(() => followLanguage(), [])
  const idle = useStore(idleStore) !== null
  const asked = useStore(verificationStore).status !== 'closed'
  const [used, setUsed] = useState(false)
  if (!used && (idle || asked)) setUsed(true)
  return <Suspense fallback={null}>{used ? <SessionDialogs /> : null}</Suspense>
}
