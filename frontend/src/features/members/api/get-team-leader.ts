import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import { memberKeys, type CompanyRef } from './member-keys'

/** Of a leader who could not be loaded. */
export const UNKNOWN_LEADER = -1

function teamLeader(company: CompanyRef) {
  return queryOptions({
    queryKey: memberKeys.leader(company),
    queryFn: ({ signal }) =>
      company === null
        ? dataOf(api.GET('/api/user/team-leader', { signal }))
        : dataOf(api.GET('/api/user/team-leader/{company_id}', { params: { path: { company_id: company } }, signal })),
  })
}

/** Whoever leads the company, or -1 while nobody is known to. */
export function useTeamLeaderId(company: CompanyRef): string | typeof UNKNOWN_LEADER {
  const { data, isError } = useQuery(teamLeader(company))
  return isError ? UNKNOWN_LEADER : (data?.uuid ?? UNKNOWN_LEADER)
}
