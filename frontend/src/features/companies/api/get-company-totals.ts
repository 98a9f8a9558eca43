import { queryOptions } from '@tanstack/react-query'
import { companyKeys } from './company-keys'
import { listCompanies } from './list-companies'

/** Every list brings its total along, so that two of one row each tell all there is to count. */
export const companyTotals = queryOptions({
  queryKey: companyKeys.totals,
  queryFn: async ({ signal }) => {
    const [all, disabled] = await Promise.all([
      listCompanies({ skip: 0, limit: 1 }, signal),
      listCompanies({ skip: 0, limit: 1, filter: ['isEnabled:matches:false'] }, signal),
    ])
    return { all: all.item2, enabled: all.item2 - disabled.item2, disabled: disabled.item2 }
  },
})
