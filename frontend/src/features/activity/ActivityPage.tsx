import { useTranslation } from 'react-i18next'
import { HistoryIcon } from '@/components/icons/HistoryIcon'
import { PageHeader } from '@/components/PageHeader'
import { ExportButton } from '@/components/table/ExportButton'
import { toListQuery } from '@/components/table/list-query'
import { useTableState } from '@/components/table/use-table-state'
import { useExport } from '@/hooks/use-export'
import { useOpenRequest } from '@/hooks/use-open-request'
import { exportActivity } from './api'
import { activityFieldNames } from './page/activity-table'
import { ActivityTable } from './page/ActivityTable'

type Props = { scope?: 'own' | 'all' }

export default function ActivityPage({ scope = 'own' }: Props) {
  const { t } = useTranslation('activity')
  const control = useTableState(activityFieldNames(scope), 'activity')
  const query = toListQuery(control.state)
  const save = useExport({
    file: t('file'),
    load: () => exportActivity(scope, query),
    failure: t('exportFailed'),
  })
  useOpenRequest({ export: () => void save.mutate() })
  return (
    <>
      <PageHeader
        title={t('common:screens.activity')}
        sub={t(scope === 'own' ? 'sub' : 'subAll')}
        icon={<HistoryIcon />}
        actions={<ExportButton save={save} />}
      />
      <ActivityTable scope={scope} control={control} />
    </>
  )
}
