import type { PageState } from './client-state'

/** What a leader has to know about the newest recovery kit. */
export function kitProblem(health: PageState['health']): 'missing' | 'outdated' | 'unconfirmed' | null {
  if (!health) return null
  const { kitCounter, isKitCurrent, isKitConfirmed } = health.recovery
  if (kitCounter === 0) return 'missing'
  if (!isKitCurrent) return 'outdated'
  return isKitConfirmed ? null : 'unconfirmed'
}
