import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FilterField } from './column'
import { FilterChips } from './FilterChips'
import { SearchField } from './SearchField'
import styles from './toolbar.module.css'
import type { TableControl } from './use-table-state'
import { FilterIcon } from '../icons/FilterIcon'

const FilterForm = lazy(() => import('./FilterForm'))

type Props = { searchLabel: string; fields: readonly FilterField[]; control: TableControl; children?: ReactNode }

export function TableToolbar({ searchLabel, fields, control, children }: Props) {
  const { t } = useTranslation('table')
  const [open, setOpen] = useState(false)
  const { state, change } = control
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        <SearchField
          label={searchLabel}
          value={state.search}
          // Refining a search replaces the history entry.
          onSearch={(search) => change({ search }, { replace: state.search !== '' && search !== '' })}
        />
        <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
          <FilterIcon />
          {t('filters.open')}
          {state.filters.length > 0 ? <span className={styles.count}>{state.filters.length}</span> : null}
        </button>
        {children}
      </div>
      {open ? (
        <Suspense fallback={null}>
          <FilterForm
            fields={fields}
            onAdd={(filter) => change({ filters: [...state.filters, filter] })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
      <FilterChips fields={fields} filters={state.filters} onChange={(filters) => change({ filters })} />
    </div>
  )
}
