import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { DialogForm } from '@/components/forms/DialogForm'
import { useApiForm } from '@/components/forms/use-api-form'
import { QueryResult } from '@/components/QueryResult'
import { toast } from '@/components/toast'
import { companyKeys, ownCompany, updateCompany, type Company } from './api'
import { companySchema, toCompanyForm, toCompanyUpdate, wireNames } from './company-form'
import { CompanyFields } from './CompanyFields'

export default function EditCompanyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['company', 'auth', 'errors'])
  const company = useQuery({ ...ownCompany, staleTime: 0, gcTime: 0 })
  return (
    <Dialog onClose={onClose} size="medium" title={t('edit.title')}>
      <DialogContent>
        <QueryResult query={company} loading={t('edit.loading')} heights={[420]}>
          {(data) => <EditCompanyForm company={data} onClose={onClose} />}
        </QueryResult>
      </DialogContent>
    </Dialog>
  )
}

function EditCompanyForm({ company, onClose }: { company: Company; onClose: () => void }) {
  const { t } = useTranslation('company')
  const client = useQueryClient()
  const form = useApiForm({
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
  const { isDirty, isValid } = form.formState
  return (
    <DialogForm
      mutation={form.mutation}
      disabledReason={!isDirty ? t('auth:nothingChanged') : isValid ? null : t('edit.fillIn')}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <CompanyFields form={form} />
    </DialogForm>
  )
}
