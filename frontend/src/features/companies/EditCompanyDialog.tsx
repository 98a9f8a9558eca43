import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { ownCompany } from './api/get-own-company'
import { EditCompanyForm } from './edit/EditCompanyForm'

type Props = { open: boolean; onClose: () => void }

export default function EditCompanyDialog({ open, onClose }: Props) {
  const { t } = useTranslation(['company', 'auth', 'errors'])
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('edit.title')}</DialogTitle>
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
  if (company.isPending) return <Skeleton variant="rounded" height={420} aria-label={t('edit.loading')} />
  if (company.isError) {
    return <ErrorState heading="h3" text={loadErrorMessage(company.error)} onRetry={() => void company.refetch()} />
  }
  return <EditCompanyForm company={company.data} onClose={onClose} />
}
