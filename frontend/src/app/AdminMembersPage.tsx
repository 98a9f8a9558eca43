import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import buttons from '@/components/button.module.css'
import { EmptyState } from '@/components/EmptyState'
import MembersPage from '@/features/members/MembersPage'
import { useActiveCompany } from './active-company'

export default function AdminMembersPage() {
  const { t } = useTranslation('members')
  const company = useActiveCompany()
  if (company) return <MembersPage company={company} />
  return (
    <EmptyState
      heading="h1"
      title={t('chooseCompany.title')}
      text={t('chooseCompany.text')}
      actions={
        <Link to="/admin/companies" className={`${buttons.button} ${buttons.primary}`}>
          {t('chooseCompany.link')}
        </Link>
      }
    />
  )
}
