import { useNavigate } from 'react-router'
import { CompaniesPage } from '@/features/companies/CompaniesPage'
import { activeCompanyStore, companyPath, membersPath, useActiveCompany } from './active-company'

export default function AdminCompaniesPage() {
  const navigate = useNavigate()
  const active = useActiveCompany()
  return (
    <CompaniesPage
      activeId={active?.id ?? null}
      pathOf={({ id }) => companyPath(id)}
      onShowMembers={({ id }) => void navigate(membersPath(id))}
      onGone={(id) => {
        if (activeCompanyStore.get()?.id === id) activeCompanyStore.select(null)
      }}
    />
  )
}
