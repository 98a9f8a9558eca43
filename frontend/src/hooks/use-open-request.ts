import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** State of a navigation that asks the page to open something. Only the console itself can make one; a link cannot. */
export const openRequest = (open: string) => ({ open })

function requestedBy(state: unknown): string | null {
  const open = typeof state === 'object' && state !== null && 'open' in state ? state.open : null
  return typeof open === 'string' ? open : null
}

/** Opens what the navigation asked for, once. Null while the page is loading. */
export function useOpenRequest(actions: Record<string, () => void> | null) {
  const location = useLocation()
  const navigate = useNavigate()
  const requested = requestedBy(location.state)
  const ready = actions !== null
  const open = useEffectEvent((name: string) => {
    void navigate({ pathname: location.pathname, search: location.search }, { replace: true, state: null })
    actions?.[name]?.()
  })
  useEffect(() => {
    if (requested !== null && ready) open(requested)
  }, [requested, ready])
}
