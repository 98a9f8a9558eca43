import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'

/** What this installation is; undefined until known. It does not change while a page is open. */
export function useConfig() {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/config', { signal })),
    staleTime: Infinity,
  })
  return data
}
