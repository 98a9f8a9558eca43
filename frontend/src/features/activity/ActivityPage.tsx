import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/EmptyState'
import { HistoryIcon } from '@/components/icons'
import { PageHeader } from '@/components/PageHeader'
import { ExportButton } from '@/components/table/ExportButton'
import { toListQuery } from '@/components/table/list-query'
import { ServerTable } from '@/components/table/ServerTable'
import { useTableState } from '@/components/table/use-table-state'
import { useCsvExport } from '@/hooks/use-csv-export'
import { useOpenRequest } from '@/hooks/use-open-request'
import { activityList, exportActivity, type Scope } from './api'
import { activityColumns, activityFieldNames, activityFields } from './page/activity-table'

type Props = { scope?: Scope }

export default function ActivityPage({ scope = 'own' }: Props) {
  const { t } = useTranslation('activity')
  const control = useTableState(activityFieldNames(scope), 'activity')
  const query = toListQuery(control.state)
  const list = useQuery(activityList(scope, query))
  const save = useCsvExport({
    file: t('file'),
    load: () => exportActivity(scope, query),
    failure: t('exportFailed'),
  })
  useOpenRequest({ export: () => void save.mutate() })
  return (
    <>
      <PageHeader
        title={t('title')}
        sub={t(scope === 'own' ? 'sub' : 'subAll')}
        icon={<HistoryIcon />}
        actions={<ExportButton save={save} />}
      />
      <ServerTable
        label={t('title')}
        searchLabel={t('search')}
        columns={activityColumns(t, scope)}
        fields={activityFields(t, scope)}
        control={control}
        list={list}
        rowKey={({ id }) => String(id)}
        rowName={({ action }) => action}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
    </>
  )
}
