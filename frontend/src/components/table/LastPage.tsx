import { Navigate, useSearchParams } from 'react-router'
import { writeTableState } from './table-state'
import type { TableControl } from './use-table-state'

type Props = { control: TableControl; total: number }

/** The page asked for is past the end: its last row has just gone, or the link is old. */
export function LastPage({ control: { state }, total }: Props) {
  const [params] = useSearchParams()
  const page = Math.max(0, Math.ceil(total / state.size) - 1)
  return <Navigate replace to={{ search: writeTableState(params, { ...state, page }).toString() }} />
}
