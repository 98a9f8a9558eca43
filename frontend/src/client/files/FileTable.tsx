import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '@/components/ErrorState'
import { FileIcon } from '@/components/icons/FileIcon'
import { FolderIcon } from '@/components/icons/FolderIcon'
import { Term } from '@/components/Term'
import { formatBytes, formatDateTime } from '@/i18n/format'
import { usePageState } from '../client-state'
import { useErrorText } from '../use-call'
import styles from './FileTable.module.css'
import { ProtectionCell } from './ProtectionCell'
import { useRows, type FileRow, type Listed } from './use-rows'
import type { Selection } from './use-selection'

const ROW_HEIGHT = 48
const MARGIN_ROWS = 20

type Sort = NonNullable<Listed['sort']>

type Props = {
  list: Listed
  caption: string
  /** The row whose details are shown. */
  selected?: string | undefined
  selection: Selection
  /** What the Delete key does with the chosen rows. */
  onDelete?: () => void
  /** The control that stands for the row's name. */
  name: (row: FileRow) => ReactNode
  end: (row: FileRow) => ReactNode
  empty: ReactNode
  dateLabel: string
  /** Whether to show how many pieces of each file are stored. */
  withProtection?: boolean
  onSort?: (sort: Sort) => void
}

/** A list of any length: only the rows in sight are in the page. */
export function FileTable(props: Props) {
  const { list, caption, selected, selection, name, end, empty, dateLabel, withProtection = false, onSort } = props
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const [sight, setSight] = useState({ first: 0, last: 40 })
  const { health } = usePageState()
  const { total, rows, protection, error, refetch } = useRows(
    list,
    sight.first,
    sight.last,
    withProtection ? health : null,
  )

  if (error) return <ErrorState text={textOf(error)} onRetry={() => void refetch()} />
  if (total === 0) return empty
  const shown = total ?? 8
  const first = Math.min(sight.first, Math.max(0, shown - 1))
  const last = Math.min(sight.last, shown - 1)
  const chosen = selection.rows.length
  const isAll = chosen > 0 && chosen === total
  const visible = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return (
    <div
      className={styles.scroll}
      tabIndex={-1}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === 'a') selection.chooseAll()
        else if (event.key === 'Escape' && chosen > 0) selection.clear()
        else if (event.key === 'Delete' && chosen > 0) props.onDelete?.()
        else return
        event.preventDefault()
      }}
      onScroll={({ currentTarget }) => {
        const top = Math.floor(currentTarget.scrollTop / ROW_HEIGHT)
        const count = Math.ceil(currentTarget.clientHeight / ROW_HEIGHT)
        const next = { first: Math.max(0, top - MARGIN_ROWS), last: top + count + MARGIN_ROWS }
        if (next.first !== sight.first || next.last !== sight.last) setSight(next)
      }}
    >
      <table className={styles.table} aria-rowcount={shown + 1} aria-busy={total === undefined}>
        <caption className="t-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles.choice}>
              <input
                type="checkbox"
                aria-label={t('select.all')}
                checked={isAll}
                disabled={total === undefined}
                ref={(box) => {
                  if (box) box.indeterminate = chosen > 0 && !isAll
                }}
                onChange={isAll ? selection.clear : selection.chooseAll}
              />
            </th>
            <Heading sort="name" list={list} onSort={onSort} text={t('files.name')} />
            <Heading sort="size" list={list} onSort={onSort} text={t('files.size')} className={styles.size} />
            <Heading sort="modified" list={list} onSort={onSort} text={dateLabel} className={styles.date} />
            {withProtection ? (
              <th scope="col" className={styles.protection}>
                <Term name="spare">{t('files.protection')}</Term>
              </th>
            ) : null}
            <th scope="col" className={styles.end}>
              <span className="t-hidden">{t('files.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {first > 0 ? <tr aria-hidden style={{ blockSize: first * ROW_HEIGHT }} /> : null}
          {visible.map((index) => {
            const row = rows.get(index)
            return row ? (
              <tr
                key={row.path}
                aria-rowindex={index + 2}
                data-selected={row.path === selected || selection.has(row.path)}
                className={styles.row}
              >
                <td className={styles.choice}>
                  <input
                    type="checkbox"
                    aria-label={t('select.row', { name: row.name })}
                    checked={selection.has(row.path)}
                    onChange={({ nativeEvent }) => selection.toggle(row, (nativeEvent as MouseEvent).shiftKey)}
                    onKeyDown={(event) => {
                      const next = rows.get(index + (ARROWS[event.key] ?? 0))
                      if (next && moveTo(event) && event.shiftKey) selection.toggle(next, true)
                    }}
                  />
                </td>
                <th scope="row">
                  <span className={styles.nameBox}>
                    {row.type === 'folder' ? (
                      <FolderIcon className={styles.folder ?? ''} />
                    ) : (
                      <FileIcon className={styles.file ?? ''} />
                    )}
                    <span className={styles.nameText}>{name(row)}</span>
                    {row.type === 'folder' ? (
                      <span className={`t-soft ${styles.count}`}>{t('files.count', { count: row.files })}</span>
                    ) : null}
                  </span>
                </th>
                <td className={styles.size}>{formatBytes(row.size)}</td>
                <td className={styles.date}>{row.modified > 0 ? formatDateTime(row.modified) : ''}</td>
                {withProtection ? (
                  <td className={styles.protection}>
                    <ProtectionCell protection={protection[row.path]} isEmpty={row.size === 0} />
                  </td>
                ) : null}
                <td className={styles.end}>{end(row)}</td>
              </tr>
            ) : (
              <tr key={`gap-${index}`} aria-hidden className={styles.row}>
                <td colSpan={withProtection ? 6 : 5}>
                  <span className={styles.gap} />
                </td>
              </tr>
            )
          })}
          {last < shown - 1 ? <tr aria-hidden style={{ blockSize: (shown - 1 - last) * ROW_HEIGHT }} /> : null}
        </tbody>
      </table>
    </div>
  )
}

const ARROWS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** Moves the focus to the checkbox of the row above or below. */
function moveTo(event: KeyboardEvent<HTMLElement>): boolean {
  const row = event.currentTarget.closest('tr')
  const next = event.key === 'ArrowUp' ? row?.previousElementSibling : row?.nextElementSibling
  const box = event.key in ARROWS ? next?.querySelector('input') : null
  if (!box) return false
  event.preventDefault()
  box.focus()
  return true
}

type HeadingProps = {
  sort: Sort
  list: Listed
  text: string
  onSort?: ((sort: Sort) => void) | undefined
  className?: string | undefined
}

function Heading({ sort, list, text, onSort, className }: HeadingProps) {
  const current = (list.sort ?? 'name') === sort && !list.search && !list.trash
  const order = current ? (list.descending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" className={className} aria-sort={order}>
      {onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(sort)}>
          {text}
          <span aria-hidden>{order === 'descending' ? ' ↓' : order ? ' ↑' : ''}</span>
        </button>
      ) : (
        text
      )}
    </th>
  )
}
