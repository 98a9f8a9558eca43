import { sessionStore } from '@/api/session'
import { refreshUser } from '@/api/user'
import { createStore } from '@/lib/create-store'
import { IdleWatch } from './inactivity/idle-watch'

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart', 'visibilitychange'] as const

let watch: IdleWatch | null = null
/** When the countdown ends; null while there is none. */
const store = createStore<number | null>(null)

async function keepAlive(): Promise<void> {
  // A failure is reported by the next call that matters; an expired session ends in the client.
  await refreshUser().catch(() => undefined)
}

/** Watches the user's activity. Returns a function that stops it. */
export function startIdleWatch(): () => void {
  const current = new IdleWatch({
    onChange: store.set,
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
    store.set(null)
  }
}

export const idleStore = {
  get: store.get,
  subscribe: store.subscribe,
  stay: () => watch?.stay(),
}
