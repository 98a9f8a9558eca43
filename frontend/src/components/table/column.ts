import type { ReactNode } from 'react'

export type Choice = { value: string; label: string }

/** Something the list can be narrowed by. With choices there is nothing to type. */
export type FilterField = { name: string; label: string; kind?: 'text' | 'date'; choices?: readonly Choice[] }

export type Column<Row> = {
  /** Also the field's name on the wire, where it can be sorted by. */
  id: string
  label: string
  cell: (row: Row) => ReactNode
  sortable?: boolean
  /** `title` heads the card that a phone shows instead of a row; `corner` stands beside it. */
  onCard?: 'title' | 'corner' | 'line'
  /** What the card shows of it, when that is not the cell. */
  card?: (row: Row) => ReactNode
  /** How wide the skeleton of its text is, in characters. */
  width?: number
}

/** Names of drawings that come with the menu. */
export type RowSign = 'edit' | 'delete' | 'enable' | 'disable' | 'lead' | 'people' | 'detail' | 'resend'

export type RowAction = {
  id: string
  label: string
  sign: RowSign
  destructive?: boolean
  onSelect: () => void
}
