import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { DownloadIcon, HistoryIcon } from '@/components/icons'
import { PageHeader } from '@/components/PageHeader'
import { toListQuery } from '@/components/table/list-query'
import { ServerTable } from '@/components/table/ServerTable'
import { useTableState } from '@/components/table/use-table-state'
import { useOpenRequest } from '@/hooks/use-open-request'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { saveFile } from '@/lib/save-file'
import { activityList, exportActivity, type Scope } from './api'
import { activityColumns, activityFieldNames, activityFields } from './page/activity-table'

type Props = { scope?: Scope }

export default function ActivityPage({ scope = 'own' }: Props) {
  const { t } = useTranslation('activity')
  const control = useTableState(activityFieldNames(scope))
  const query = toListQuery(control.state)
  const list = useQuery(activityList(scope, query))
  const save = useToastMutation(
    async () =>
      saveFile(await exportActivity(scope, query), `${t('file')}-${new Date().toISOString().slice(0, 10)}.csv`),
    { failure: t('exportFailed') },
  )
  useOpenRequest({ export: () => void save.mutate() })
  return (
    <>
      <PageHeader
        title={t('title')}
        sub={t(scope === 'own' ? 'sub' : 'subAll')}
        icon={<HistoryIcon />}
        actions={
          <Button
            variant="outlined"
            size="large"
            disabled={save.isPending}
            aria-busy={save.isPending}
            onClick={() => void save.mutate()}
          >
            <DownloadIcon />
            {t(save.isPending ? 'exporting' : 'export')}
          </Button>
        }
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
