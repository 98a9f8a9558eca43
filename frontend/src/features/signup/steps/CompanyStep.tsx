import { useTranslation } from 'react-i18next'
import { useApiForm } from '@/components/forms/use-api-form'
import { CompanyFields, companySchema } from '@/features/companies'
import type { StepProps } from '../use-signup'
import styles from '../signup.module.css'
import { StepActions, StepHeading } from '../StepLayout'

export default function CompanyStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'company', 'auth'])
  const { register, control, getValues, formState, onSubmit } = useApiForm({
    schema: companySchema,
    defaultValues: signup.draft.company,
    submit: (company) => {
      signup.update({ company })
      signup.goNext()
    },
  })
  const { errors, touchedFields, isSubmitted, isValid } = formState
  // Choosing a country checks the number too; nothing is said about one that nobody has typed yet.
  const shown = touchedFields.number || isSubmitted ? errors : { ...errors, number: undefined }
  return (
    <>
      <StepHeading title={t('company.title')} text={t('company.text')} arrived={signup.moved} />
      <form
        className={styles.form}
        noValidate
        onChange={() => signup.update({ company: getValues() })}
        onSubmit={onSubmit}
      >
        <CompanyFields register={register} control={control} errors={shown} />
        <StepActions onBack={signup.goBack} disabledReason={isValid ? null : t('company:edit.fillIn')} />
      </form>
    </>
  )
}
