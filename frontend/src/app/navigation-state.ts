import type { Location } from 'react-router'

export type NavigationState = { from?: string }

/** The path that was requested before a redirect. History state outlives deployments, so it is validated. */
export function wantedPath(location: Location): string | undefined {
  const state: unknown = location.state
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined
  const { from } = state
  return typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : undefined
}
