import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { Button } from '../Button'
import { EmptyState } from '../EmptyState'
import { writeTableState, type TableControl } from './use-table-state'

export function NoResults({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('table')
  return (
    <EmptyState
      art="lost"
      title={t('noResults.title')}
      text={t('noResults.text')}
      actions={
        <Button variant="outlined" size="large" onClick={onClear}>
          {t('noResults.clear')}
        </Button>
      }
    />
  )
}

type Props = { control: TableControl; total: number }

/** The requested page is past the end: its last row was removed, or the link is old. */
export function LastPage({ control: { state }, total }: Props) {
  const [params] = useSearchParams()
  const page = Math.max(0, Math.ceil(total / state.size) - 1)
  return <Navigate replace to={{ search: writeTableState(params, { ...state, page }).toString() }} />
}
