import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { WarehouseIcon } from '@/components/icons/WarehouseIcon'
import { PageHeader } from '@/components/PageHeader'
import { toListQuery } from '@/components/table/list-query'
import { useTableState } from '@/components/table/use-table-state'
import { useOpenRequest } from '@/hooks/use-open-request'
import { warehousesList } from './api'
import type { OpenWarehouseDialog } from './dialogs/WarehouseDialogs'
import { WarehousesView } from './page/WarehousesView'
import { useExpandedWarehouse } from './use-expanded-warehouse'

const WarehouseDialogs = lazy(() => import('./dialogs/WarehouseDialogs'))

const filterFields = ['status']

export default function WarehousesPage() {
  const { t } = useTranslation('warehouses')
  const control = useTableState(filterFields)
  const list = useQuery(warehousesList(toListQuery(control.state)))
  const expanded = useExpandedWarehouse()
  const [dialog, setDialog] = useState<OpenWarehouseDialog | null>(null)
  const add = () => setDialog({ kind: 'add' })
  const alerts = () => setDialog({ kind: 'alerts' })
  const some = (list.data?.summary.total ?? 0) > 0
  useOpenRequest(list.data ? { add, alerts, newKey: () => some && setDialog({ kind: 'newKey' }) } : null)
  return (
    <>
      <PageHeader
        title={t('title')}
        sub={t('sub')}
        icon={<WarehouseIcon />}
        actions={
          <>
            <Button variant="outlined" size="large" onClick={alerts}>
              {t('alerts')}
            </Button>
            <Button
              variant="outlined"
              size="large"
              disabledReason={some ? null : t('newKey.noWarehouses')}
              onClick={() => setDialog({ kind: 'newKey' })}
            >
              {t('newKey.button')}
            </Button>
            <Button size="large" onClick={add}>
              {t('add.button')}
            </Button>
          </>
        }
      />
      <WarehousesView list={list} control={control} expanded={expanded} onOpenDialog={setDialog} />
      <Suspense fallback={null}>
        {dialog ? (
          <WarehouseDialogs
            dialog={dialog}
            summary={list.data?.summary}
            onSaved={expanded.follow}
            onRemoved={expanded.close}
            onClose={() => setDialog(null)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
