import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { matchPath, useLocation, useNavigate } from 'react-router'
import { companyDetail } from '@/features/companies/api'
import { CompanyPage } from '@/features/companies/CompanyPage'
import { i18n } from '@/i18n/i18n'
import { activeCompanyStore, COMPANY_PATH } from './active-company'

const RegisteredMembers = lazy(async () => {
  const [{ RegisteredMembers }] = await Promise.all([
    import('@/features/members/page/RegisteredMembers'),
    i18n.loadNamespaces(['members', 'table']),
  ])
  return { default: RegisteredMembers }
})
const CompanyActivity = lazy(async () => {
  const [module] = await Promise.all([
    import('@/features/activity/CompanyActivity'),
    i18n.loadNamespaces(['activity', 'table']),
  ])
  return module
})

/** Opening a company makes it the active one, with its badge in the toolbar. */
export default function AdminCompanyPage() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const named = matchPath(COMPANY_PATH, pathname)?.params.id ?? ''
  const id = /^[1-9]\d*$/.test(named) ? Number(named) : NaN
  const { data } = useQuery({ ...companyDetail(id), enabled: false })
  const name = data?.name
  useEffect(() => {
    if (name) activeCompanyStore.select({ id, name })
  }, [id, name])
  return (
    <CompanyPage
      key={named}
      id={id}
      members={<RegisteredMembers company={id} manages={false} invite={null} />}
      activity={<CompanyActivity company={id} />}
      onGone={() => {
        activeCompanyStore.select(null)
        void navigate('/admin/companies', { replace: true })
      }}
    />
  )
}
