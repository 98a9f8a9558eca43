import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { applyServerErrors } from '@/components/forms/apply-server-errors'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { companyKeys, updateCompany, type Company } from '../api'
import styles from '../company-fields.module.css'
import { companySchema, toCompanyForm, toCompanyUpdate, wireNames, type CompanyForm } from '../company-form'
import { CompanyFields } from '../CompanyFields'

type Props = { company: Company; onClose: () => void }

export function EditCompanyForm({ company, onClose }: Props) {
  const { t } = useTranslation('company')
  const client = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm<CompanyForm>({
    resolver: zodResolver(companySchema),
    mode: 'onTouched',
    defaultValues: toCompanyForm(company),
  })
  const { errors, isValid, isDirty } = formState
  const save = useSecretMutation(async (form: CompanyForm) => {
    try {
      await updateCompany(toCompanyUpdate(form))
    } catch (error) {
      if (applyServerErrors(error, setError, wireNames)) return
      toast.error(errorMessage(error, t('edit.failed')))
      return
    }
    toast.success(t('edit.saved'))
    void client.invalidateQueries({ queryKey: companyKeys.own })
    onClose()
  })
  const submit = handleSubmit(async (form) => {
    await save.mutate(form)
  })

  function reason(): string | null {
    if (!isDirty) return t('edit.nothingChanged')
    return isValid ? null : t('edit.fillIn')
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <CompanyFields register={register} errors={errors} />
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose} disabled={save.isPending}>
          {t('edit.cancel')}
        </Button>
        <Button type="submit" pending={save.isPending} disabledReason={reason()}>
          {t('edit.save')}
        </Button>
      </div>
    </form>
  )
}
