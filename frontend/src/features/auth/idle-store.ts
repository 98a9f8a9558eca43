import { sessionStore } from '@/api/session'
import { getOwnSession } from './api/get-own-session'
import { toUser } from './api/user'
import { IdleWatch } from './inactivity/idle-watch'

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart', 'visibilitychange'] as const

let watch: IdleWatch | null = null
let endsAt: number | null = null
const listeners = new Set<() => void>()

function show(moment: number | null): void {
  endsAt = moment
  for (const listener of listeners) listener()
}

async function keepAlive(): Promise<void> {
  // A failure is told by the next call that matters; a dead session ends in the client.
  const answer = await getOwnSession().catch(() => null)
  if (answer) sessionStore.updateUser(toUser(answer.user))
}

/** Watches the signed-in person until told to stop. */
export function startIdleWatch(): () => void {
  const current = new IdleWatch({
    onChange: show,
    onEnd: () => sessionStore.signOut('inactivity'),
    onKeepAlive: () => void keepAlive(),
  })
  watch = current
  const note = () => {
    // Coming back to a tab counts, leaving it does not.
    if (document.visibilityState === 'visible') current.noteActivity()
  }
  const options = { capture: true, passive: true }
  for (const sign of signs) document.addEventListener(sign, note, options)
  return () => {
    for (const sign of signs) document.removeEventListener(sign, note, options)
    current.stop()
    if (watch === current) watch = null
    show(null)
  }
}

export const idleStore = {
  /** When the countdown ends; null while there is none. */
  get: (): number | null => endsAt,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  stay: () => watch?.stay(),
}
