import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { companyDetail } from '@/features/companies/api'
import MembersPage from '@/features/members/MembersPage'
import { activeCompanyStore, membersPath, useActiveCompany } from './active-company'
import { PageLoader } from './PageLoader'

/** The address names the company, so that a link, a reload and Back show the same one. */
export default function AdminMembersPage() {
  const [params] = useSearchParams()
  const active = useActiveCompany()
  const named = Number(params.get('company'))
  if (Number.isSafeInteger(named) && named > 0) return <MembersOf key={named} id={named} />
  if (active) return <Navigate replace to={membersPath(active.id)} />
  return <ChooseCompany />
}

function MembersOf({ id }: { id: number }) {
  const active = useActiveCompany()
  const known = active?.id === id ? active : null
  const { data, error, refetch } = useQuery({ ...companyDetail(id), enabled: !known })
  const name = data?.name
  // The toolbar and the menu follow the address.
  useEffect(() => {
    if (name) activeCompanyStore.select({ id, name })
  }, [id, name])
  if (known) return <MembersPage company={known} />
  if (error instanceof ApiError && error.status === 404) return <ChooseCompany />
  if (error) return <ErrorState heading="h1" text={loadErrorMessage(error)} onRetry={() => void refetch()} />
  return <PageLoader />
}

function ChooseCompany() {
  const { t } = useTranslation('members')
  return (
    <EmptyState
      heading="h1"
      title={t('chooseCompany.title')}
      text={t('chooseCompany.text')}
      actions={
        <LinkButton size="large" to="/admin/companies">
          {t('chooseCompany.link')}
        </LinkButton>
      }
    />
  )
}
