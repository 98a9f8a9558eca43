import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { companyKeys, setCompanyStatus, type ListedCompany } from '../api'

type Props = { company: ListedCompany; onClose: () => void }

export function StatusDialog({ company: { id, name, isEnabled }, onClose }: Props) {
  const { t } = useTranslation('companies')
  const change = useToastMutation(() => setCompanyStatus(id, !isEnabled), {
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
