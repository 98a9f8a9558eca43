import type { ReactNode } from 'react'
import type { Icon } from '../icons/create-icon'
import type { TableControl } from './use-table-state'

export type Choice = { value: string; label: string }

/** How a field is filtered by. With `choices` the value is selected, not typed. */
type Filter = { kind?: 'text' | 'date' | 'number'; choices?: readonly Choice[] }

export type FilterField = Filter & { name: string; label: string }

export type Column<Row> = {
  /** Also the field's name in the API, for sorting. */
  id: string
  label: string
  cell: (row: Row) => ReactNode
  sortable?: boolean
  /** Left out: the list is not filtered by this column. */
  filter?: Filter
  /** Position on the card that phones show instead of a row: `title` at its top, `corner` beside the title. */
  onCard?: 'title' | 'corner' | 'line'
  /** Content on the card, if it differs from the cell. */
  card?: (row: Row) => ReactNode
  /** Width of its skeleton, in characters. */
  width?: number
}

export type RowAction = {
  id: string
  label: string
  Icon: Icon
  destructive?: boolean
  onSelect: () => void
}

/** Rows that are selected for an action on all of them, by their keys. */
export type RowSelection<Row> = {
  selected: ReadonlySet<string>
  isSelectable: (row: Row) => boolean
  onChange: (selected: ReadonlySet<string>) => void
  /** Buttons of the bar that is shown while something is selected. */
  actions: ReactNode
}

/** What a list's rows need, as a table or as cards. */
export type RowsProps<Row> = {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  control: TableControl
  /** Names the row in its menu's label. */
  rowName: (row: Row) => string
  actions?: ((row: Row) => RowAction[]) | undefined
  /** What a click on the row does; a link or button in its title does the same for the keyboard. */
  onOpen?: (row: Row) => void
  isMarked?: (row: Row) => boolean
  selection?: RowSelection<Row> | undefined
}
