import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { Drawer } from '@/components/dialog/Drawer'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { companyDetail, companyKeys, setCompanyStatus, type ListedCompany } from '../api'
import { CompanyFacts } from './CompanyFacts'
import { DeleteCompanyDialog } from './DeleteCompanyDialog'

export type CompanyDialog = { kind: 'status' | 'delete' | 'detail'; company: ListedCompany }

type Props = { dialog: CompanyDialog; onClose: () => void; onGone: (id: number) => void }

export default function CompanyDialogs({ dialog: { kind, company }, onClose, onGone }: Props) {
  if (kind === 'detail') return <CompanyDrawer company={company} onClose={onClose} />
  if (kind === 'status') return <StatusDialog company={company} onClose={onClose} />
  return <DeleteCompanyDialog company={company} onClose={onClose} onGone={onGone} />
}

type CompanyDrawerProps = { company: ListedCompany; onClose: () => void }

function CompanyDrawer({ company, onClose }: CompanyDrawerProps) {
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

type StatusDialogProps = { company: ListedCompany; onClose: () => void }

function StatusDialog({ company: { id, name, isEnabled }, onClose }: StatusDialogProps) {
  const { t } = useTranslation('companies')
  const change = useToastMutation(() => withVerification(() => setCompanyStatus(id, !isEnabled)), {
    success: t('toasts.statusChanged'),
    failure: t('toasts.statusFailed'),
    refresh: [companyKeys.all],
    onDone: onClose,
  })
  const words = isEnabled ? 'disable' : 'enable'
  return (
    <ConfirmDialog
      open
      title={t(`${words}.title`, { name })}
      confirmLabel={t(`${words}.confirm`)}
      destructive={isEnabled}
      pending={change.isPending}
      onConfirm={() => void change.mutate()}
      onClose={onClose}
    >
      {t(`${words}.text`)}
    </ConfirmDialog>
  )
}
