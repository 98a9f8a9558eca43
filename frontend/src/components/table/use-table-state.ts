import { useSearchParams } from 'react-router'
import { changeState, FIRST_STATE, readTableState, writeTableState, type TableState } from './table-state'

export type TableControl = {
  state: TableState
  /** Takes a place of its own in the history, unless told to replace the last one. */
  change: (change: Partial<TableState>, options?: { replace?: boolean }) => void
  /** Back to everything, at the same page size. */
  clear: () => void
}

/** The state of a list lives in the address, so that a link or Back brings it back. */
export function useTableState(fields: readonly string[]): TableControl {
  const [params, setParams] = useSearchParams()
  const state = readTableState(params, (field) => fields.includes(field))
  const change: TableControl['change'] = (change, { replace = false } = {}) => {
    setParams(writeTableState(params, changeState(state, change)), { replace })
  }
  return { state, change, clear: () => change({ ...FIRST_STATE, size: state.size }) }
}

export function isNarrowed({ search, filters }: TableState): boolean {
  return search !== '' || filters.length > 0
}
