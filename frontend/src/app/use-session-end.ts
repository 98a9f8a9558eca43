import { useState } from 'react'
import type { Session } from '@/api/session'

/** Whether the session was refused while somebody was at work here, until that is acknowledged. A session that
 *  had run out before the page was opened is no surprise, and is told on the login page. */
export function useSessionEnd(session: Session): { ended: boolean; acknowledge: () => void } {
  const signedIn = session.status === 'signedIn'
  const refused = session.status === 'guest' && session.reason === 'expired'
  const [atWork, setAtWork] = useState(signedIn)
  if (signedIn && !atWork) setAtWork(true)
  if (session.status === 'guest' && !refused && atWork) setAtWork(false)
  return { ended: atWork && refused, acknowledge: () => setAtWork(false) }
}
