import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/EmptyState'
import { CompanyIcon } from '@/components/icons'
import { OnMui } from '@/components/mui-styles'
import { PageHeader } from '@/components/PageHeader'
import { toListQuery } from '@/components/table/list-query'
import { ServerTable } from '@/components/table/ServerTable'
import { useTableState } from '@/components/table/use-table-state'
import { companiesList, type ListedCompany } from './api/list-companies'
import { CompanyTotals } from './page/CompanyTotals'
import { companyFields, companyFieldNames } from './page/company-fields'
import { companyActions } from './page/company-row-actions'
import { companyColumns } from './page/company-columns'
import type { CompanyTask } from './page/company-task'

const CompanyTasks = lazy(() => import('./page/CompanyTasks'))

type Props = {
  activeId: number | null
  /** Makes the company the active one and shows its members. */
  onSelect: (company: ListedCompany) => void
  onGone: (id: number) => void
}

export function CompaniesPage({ activeId, onSelect, onGone }: Props) {
  const { t } = useTranslation('companies')
  const control = useTableState(companyFieldNames)
  const list = useQuery(companiesList(toListQuery(control.state)))
  const [task, setTask] = useState<CompanyTask | null>(null)
  return (
    <>
      <PageHeader title={t('title')} sub={t('sub')} icon={<CompanyIcon />} />
      <CompanyTotals control={control} />
      <ServerTable
        label={t('title')}
        searchLabel={t('search')}
        columns={companyColumns(t, { onSelect, onToggle: (company) => setTask({ kind: 'status', company }) })}
        fields={companyFields(t)}
        control={control}
        list={list}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        actions={(company) => companyActions(t, company, { onSelect, onTask: setTask })}
        onOpen={onSelect}
        isMarked={({ id }) => id === activeId}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
      <Suspense fallback={null}>
        {task ? (
          <OnMui>
            <CompanyTasks task={task} onClose={() => setTask(null)} onGone={onGone} />
          </OnMui>
        ) : null}
      </Suspense>
    </>
  )
}
