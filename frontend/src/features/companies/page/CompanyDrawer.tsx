import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Drawer } from '@/components/dialog/Drawer'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { companyDetail, type ListedCompany } from '../api'
import { CompanyFacts } from './CompanyFacts'

type Props = { company: ListedCompany; onClose: () => void }

export function CompanyDrawer({ company, onClose }: Props) {
  const { t } = useTranslation('companies')
  const detail = useQuery(companyDetail(company.id))
  return (
    <Drawer open width={440} onClose={onClose} title={<bdi>{company.name}</bdi>} closeLabel={t('detail.close')}>
      {detail.isPending ? <Skeleton label={t('detail.loading')} heights={[360]} /> : null}
      {detail.isError ? (
        <ErrorState heading="h3" text={loadErrorMessage(detail.error)} onRetry={() => void detail.refetch()} />
      ) : null}
      {detail.data ? <CompanyFacts company={detail.data} /> : null}
    </Drawer>
  )
}
