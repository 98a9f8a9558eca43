import { api, dataOf } from '@/api/client'
import type { ListQuery } from '@/components/table/list-query'
import type { Scope } from './activity-keys'

/** The chosen rows, all of them, as a file for a spreadsheet. */
export async function exportActivity(scope: Scope, { searchText, filter, sort }: ListQuery): Promise<Blob> {
  const query = { ...(searchText ? { searchText } : {}), ...(filter ? { filter } : {}), ...(sort ? { sort } : {}) }
  const options = { params: { query }, parseAs: 'blob' } as const
  const file =
    scope === 'own'
      ? dataOf(api.GET('/api/activity/export', options))
      : dataOf(api.GET('/api/admin/activity/export', options))
  return file
}
