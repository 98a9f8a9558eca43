import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '@/components/button.module.css'
import { WarehouseIcon } from '@/components/icons'
import { OnMui } from '@/components/mui-styles'
import { PageHeader } from '@/components/PageHeader'
import { toListQuery } from '@/components/table/list-query'
import { useTableState } from '@/components/table/use-table-state'
import { warehousesList } from './api/list-warehouses'
import type { WarehouseTask } from './page/warehouse-task'
import { WarehousesView } from './page/WarehousesView'
import { useOpened } from './use-opened'

const WarehouseTasks = lazy(() => import('./dialogs/WarehouseTasks'))

const noFilters: readonly string[] = []

export default function WarehousesPage() {
  const { t } = useTranslation('warehouses')
  const control = useTableState(noFilters)
  const list = useQuery(warehousesList(toListQuery(control.state)))
  const opened = useOpened()
  const [task, setTask] = useState<WarehouseTask | null>(null)
  const add = () => setTask({ kind: 'add' })
  const some = (list.data?.summary.total ?? 0) > 0
  return (
    <>
      <PageHeader
        title={t('title')}
        sub={t('sub')}
        icon={<WarehouseIcon />}
        actions={
          <>
            {some ? (
              <button
                type="button"
                className={`${buttons.button} ${buttons.outlined}`}
                onClick={() => setTask({ kind: 'newKey' })}
              >
                {t('newKey.button')}
              </button>
            ) : null}
            <button type="button" className={`${buttons.button} ${buttons.primary}`} onClick={add}>
              {t('add.button')}
            </button>
          </>
        }
      />
      <WarehousesView list={list} control={control} opened={opened} onTask={setTask} />
      <Suspense fallback={null}>
        {task ? (
          <OnMui>
            <WarehouseTasks
              task={task}
              summary={list.data?.summary}
              onSaved={opened.follow}
              onRemoved={opened.close}
              onClose={() => setTask(null)}
            />
          </OnMui>
        ) : null}
      </Suspense>
    </>
  )
}
