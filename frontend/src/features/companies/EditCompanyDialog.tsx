import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { ErrorState } from '@/components/ErrorState'
import { useApiForm } from '@/components/forms/use-api-form'
import { Skeleton } from '@/components/Skeleton'
import { toast } from '@/components/toast'
import { companyKeys, ownCompany, updateCompany, type Company } from './api'
import styles from './company-fields.module.css'
import { companySchema, toCompanyForm, toCompanyUpdate, wireNames } from './company-form'
import { CompanyFields } from './CompanyFields'

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

type EditCompanyFormProps = { company: Company; onClose: () => void }

function EditCompanyForm({ company, onClose }: EditCompanyFormProps) {
  const { t } = useTranslation('company')
  const client = useQueryClient()
  const { register, control, formState, mutation, onSubmit } = useApiForm({
    schema: companySchema,
    defaultValues: toCompanyForm(company),
    serverNames: wireNames,
    failureToast: t('edit.failed'),
    submit: async (values) => {
      await updateCompany(toCompanyUpdate(values))
      toast.success(t('edit.saved'))
      void client.invalidateQueries({ queryKey: companyKeys.own })
      onClose()
    },
  })
  const { errors, isValid, isDirty } = formState

  function reason(): string | null {
    if (!isDirty) return t('edit.nothingChanged')
    return isValid ? null : t('edit.fillIn')
  }

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <CompanyFields register={register} control={control} errors={errors} />
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose} disabled={mutation.isPending}>
          {t('edit.cancel')}
        </Button>
        <Button type="submit" pending={mutation.isPending} disabledReason={reason()}>
          {t('edit.save')}
        </Button>
      </div>
    </form>
  )
}
