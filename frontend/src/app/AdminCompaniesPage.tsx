import { useNavigate } from 'react-router'
import { CompaniesPage } from '@/features/companies/CompaniesPage'
import { activeCompanyStore, membersPath, useActiveCompany } from './active-company'

/** Selecting a company makes it the active one, with its badge in the toolbar, and shows its members. */
export default function AdminCompaniesPage() {
  const navigate = useNavigate()
  const active = useActiveCompany()
  return (
    <CompaniesPage
      activeId={active?.id ?? null}
      onSelect={({ id }) => void navigate(membersPath(id))}
      onGone={(id) => {
        if (activeCompanyStore.get()?.id === id) activeCompanyStore.select(null)
      }}
    />
  )
}
