import { useTranslation } from 'react-i18next'
import { useApiForm } from '@/components/forms/use-api-form'
import { CompanyFields, companySchema } from '@/features/companies'
import type { StepProps } from '../use-signup'
import styles from '../signup.module.css'
import { StepActions, StepHeading } from '../StepLayout'

export default function CompanyStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'company', 'auth'])
  const form = useApiForm({
    schema: companySchema,
    defaultValues: signup.draft.company,
    submit: (company) => {
      signup.update({ company })
      signup.goNext()
    },
  })
  return (
    <>
      <StepHeading title={t('steps.company')} text={t('company.text')} arrived={signup.moved} />
      <form
        className={styles.form}
        noValidate
        onChange={() => signup.update({ company: form.getValues() })}
        onSubmit={form.onSubmit}
      >
        <CompanyFields form={form} />
        <StepActions onBack={signup.goBack} disabledReason={form.formState.isValid ? null : t('company:edit.fillIn')} />
      </form>
    </>
  )
}
