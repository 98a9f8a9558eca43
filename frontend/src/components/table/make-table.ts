import { createTable, getCoreRowModel, type Table } from '@tanstack/react-table'
import type { Column } from './column'
import type { TableState } from './table-state'

type Parts<Row> = {
  rows: Row[]
  total: number
  columns: readonly Column<Row>[]
  state: TableState
  rowKey: (row: Row) => string
}

/** Made anew for each render: the server pages, sorts and filters, and the state is the address's. */
export function makeTable<Row>({ rows, total, columns, state, rowKey }: Parts<Row>): Table<Row> {
  const table = createTable<Row>({
    data: rows,
    columns: columns.map(({ id, sortable = false }) => ({
      id,
      enableSorting: sortable,
      accessorFn: (row: Row) => row,
    })),
    getRowId: rowKey,
    getCoreRowModel: getCoreRowModel(),
    manualPagination: true,
    manualSorting: true,
    manualFiltering: true,
    rowCount: total,
    state: {},
    onStateChange: () => undefined,
    renderFallbackValue: null,
  })
  const sorting = state.sort ? [{ id: state.sort.field, desc: state.sort.descending }] : []
  const pagination = { pageIndex: state.page, pageSize: state.size }
  table.setOptions((options) => ({ ...options, state: { ...table.initialState, sorting, pagination } }))
  return table
}
