import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { User } from '@/api/session'
import { CompanyIcon } from '@/components/icons/CompanyIcon'
import { PersonIcon } from '@/components/icons/PersonIcon'
import { WarehouseIcon } from '@/components/icons/WarehouseIcon'
import type { Icon } from '@/components/icons/create-icon'
import type { SearchProvider, SearchResultKind } from './search-providers'
import type { Suggestion } from './suggestions'

const TYPING_PAUSE_MS = 500
const SHORTEST_QUERY = 2

const icons: Record<SearchResultKind, Icon> = {
  member: PersonIcon,
  company: CompanyIcon,
  warehouse: WarehouseIcon,
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [value])
  return settled
}

/** What the features find by name on the server, once typing has paused. */
export function useSearchResults(user: User, query: string, providers: readonly SearchProvider[]) {
  const wanted = query.trim()
  const settled = useSettled(wanted)
  const asking = settled.length >= SHORTEST_QUERY && settled === wanted
  const answers = useQueries({
    queries: providers
      .filter((provider) => provider.isFor(user))
      .map((provider) => ({
        queryKey: ['search', provider.id, settled],
        queryFn: ({ signal }: { signal: AbortSignal }) => provider.search(settled, signal),
        enabled: asking,
      })),
  })
  const found = asking ? answers.flatMap(({ data }) => data ?? []) : []
  return {
    found: found.map((item): Suggestion => ({ ...item, id: `${item.kind}:${item.id}`, Icon: icons[item.kind] })),
    searching:
      answers.length > 0 &&
      wanted.length >= SHORTEST_QUERY &&
      (!asking || answers.some(({ isFetching }) => isFetching)),
    failed: asking && answers.some(({ isError }) => isError),
  }
}
