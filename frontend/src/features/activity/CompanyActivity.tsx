import { useTableState } from '@/components/table/use-table-state'
import { activityFieldNames } from './page/activity-table'
import { ActivityTable } from './page/ActivityTable'

/** The activity of a company that a platform admin looks at. */
export default function CompanyActivity({ company }: { company: number }) {
  return <ActivityTable scope={company} control={useTableState(activityFieldNames(company), 'activity')} />
}
