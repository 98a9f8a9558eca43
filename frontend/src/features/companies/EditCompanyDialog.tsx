import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { ownCompany } from './api'
import { EditCompanyForm } from './edit/EditCompanyForm'

type Props = { open: boolean; onClose: () => void }

export default function EditCompanyDialog({ open, onClose }: Props) {
  const { t } = useTranslation(['company', 'auth', 'errors'])
  return (
    <Dialog open={open} onClose={onClose} size="medium" title={t('edit.title')}>
      <DialogContent>
        <Content onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

/** Apart from the dialog, so that it asks afresh each time it is opened. */
function Content({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('company')
  const company = useQuery({ ...ownCompany, staleTime: 0, gcTime: 0 })
  if (company.isPending) return <Skeleton label={t('edit.loading')} heights={[420]} />
  if (company.isError) {
    return <ErrorState heading="h3" text={loadErrorMessage(company.error)} onRetry={() => void company.refetch()} />
  }
  return <EditCompanyForm company={company.data} onClose={onClose} />
}
