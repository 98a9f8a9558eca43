import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { EditForm } from '@/components/forms/EditForm'
import { useApiForm } from '@/components/forms/use-api-form'
import { QueryResult } from '@/components/QueryResult'
import { toast } from '@/components/toast'
import { companyKeys, ownCompany, updateCompany, type Company } from './api'
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

/** Separate from the dialog, so that it loads again each time it opens. */
function Content({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('company')
  const company = useQuery({ ...ownCompany, staleTime: 0, gcTime: 0 })
  return (
    <QueryResult query={company} loading={t('edit.loading')} heights={[420]}>
      {(data) => <EditCompanyForm company={data} onClose={onClose} />}
    </QueryResult>
  )
}

type EditCompanyFormProps = { company: Company; onClose: () => void }

function EditCompanyForm({ company, onClose }: EditCompanyFormProps) {
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
  return (
    <EditForm form={form} required={t('edit.fillIn')} onCancel={onClose}>
      <CompanyFields register={form.register} control={form.control} errors={form.formState.errors} />
    </EditForm>
  )
}
