import type { Location } from 'react-router'

export type NavigationState = { from?: string }

/** The path somebody wanted before being sent elsewhere. History state outlives a deploy, so it is read with care. */
export function wantedPath(location: Location): string | undefined {
  const state: unknown = location.state
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined
  const { from } = state
  return typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : undefined
}
