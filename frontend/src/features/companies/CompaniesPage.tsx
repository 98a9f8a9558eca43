import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { EmptyState } from '@/components/EmptyState'
import { CompanyIcon } from '@/components/icons/CompanyIcon'
import { PageHeader } from '@/components/PageHeader'
import { ExportButton } from '@/components/table/ExportButton'
import { ServerTable } from '@/components/table/ServerTable'
import { useList } from '@/components/table/use-list'
import { useExport } from '@/hooks/use-export'
import { companiesList, exportCompanies, type ListedCompany } from './api'
import { companyActions, companyColumns, otherFields } from './page/company-table'
import type { CompanyDialog } from './page/CompanyDialogs'
import { CompanyTotals } from './page/CompanyTotals'

const CompanyDialogs = lazy(() => import('./page/CompanyDialogs'))

type Props = {
  activeId: number | null
  /** The page of a company. */
  pathOf: (company: ListedCompany) => string
  onShowMembers: (company: ListedCompany) => void
  onGone: (id: number) => void
}

export function CompaniesPage({ activeId, pathOf, onShowMembers, onGone }: Props) {
  const { t } = useTranslation('companies')
  const [dialog, setDialog] = useState<CompanyDialog | null>(null)
  const { table, query } = useList({
    name: 'companies',
    columns: companyColumns(t, { pathOf, onToggle: (company) => setDialog({ kind: 'status', company }) }),
    others: otherFields(t),
    load: companiesList,
  })
  const save = useExport({ file: t('file'), load: () => exportCompanies(query), failure: t('exportFailed') })
  const navigate = useNavigate()
  const onOpen = (company: ListedCompany) => void navigate(pathOf(company))
  return (
    <>
      <PageHeader title={t('common:screens.companies')} sub={t('sub')} icon={<CompanyIcon />} />
      <CompanyTotals control={table.control} />
      <ServerTable
        {...table}
        label={t('common:screens.companies')}
        searchLabel={t('search')}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        actions={(company) => companyActions(t, company, { onOpen, onShowMembers, onOpenDialog: setDialog })}
        onOpen={onOpen}
        isMarked={({ id }) => id === activeId}
        tools={<ExportButton save={save} />}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
      <Suspense fallback={null}>
        {dialog ? <CompanyDialogs dialog={dialog} onClose={() => setDialog(null)} onGone={onGone} /> : null}
      </Suspense>
    </>
  )
}
