import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { HistoryIcon } from '@/components/icons/HistoryIcon'
import { PageHeader } from '@/components/PageHeader'
import { ExportButton } from '@/components/table/ExportButton'
import { toListQuery } from '@/components/table/list-query'
import { useTableState } from '@/components/table/use-table-state'
import { useExport } from '@/hooks/use-export'
import { useOpenRequest } from '@/hooks/use-open-request'
import { useUser } from '@/hooks/use-session'
import { exportActivity } from './api'
import { activityFieldNames } from './page/activity-table'
import { ActivityTable } from './page/ActivityTable'

const AuditDialog = lazy(() => import('./audit/AuditDialog'))

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
  const user = useUser()
  const mayAudit = scope === 'own' && user !== null && user.permissions.includes('activity:stream')
  const [auditing, setAuditing] = useState(false)
  useOpenRequest({ export: () => void save.mutate(), audit: () => setAuditing(mayAudit) })
  return (
    <>
      <PageHeader
        title={t('common:screens.activity')}
        sub={t(scope === 'own' ? 'sub' : 'subAll')}
        icon={<HistoryIcon />}
        actions={
          <>
            {mayAudit ? (
              <Button variant="outlined" size="large" onClick={() => setAuditing(true)}>
                {t('audit')}
              </Button>
            ) : null}
            <ExportButton save={save} />
          </>
        }
      />
      <ActivityTable scope={scope} control={control} />
      <Suspense fallback={null}>{auditing ? <AuditDialog onClose={() => setAuditing(false)} /> : null}</Suspense>
    </>
  )
}
