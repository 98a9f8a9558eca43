import { useTranslation } from 'react-i18next'
import { MutationError } from '@/components/forms/MutationError'
import { useApiForm } from '@/components/forms/use-api-form'
import { isEmailFree } from '../api'
import type { StepProps } from '../use-signup'
import { personSchema, phoneOf, type Person } from '../person'
import { PersonFields } from '../PersonFields'
import styles from '../signup.module.css'
import { StepActions, StepHeading } from '../StepLayout'

export default function LeaderStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const { draft, secrets } = signup
  const form = useApiForm({
    schema: personSchema,
    defaultValues: { ...draft.person, password: secrets.password, confirmation: secrets.confirmation },
    submit: async (person, { setError }) => {
      keep(person)
      if (signup.latest().freeEmail !== person.email) {
        if (!(await signup.withTicket((ticket) => isEmailFree(ticket, person.email)))) {
          setError('email', { type: 'server', message: t('leader.taken') }, { shouldFocus: true })
          return
        }
        signup.update({ freeEmail: person.email })
      }
      if (signup.latest().verifiedPhone !== phoneOf(person)) await signup.phoneDialog.open()
      signup.goNext()
    },
  })

  function keep({ password, confirmation, ...person }: Person) {
    signup.update({ person })
    signup.keepSecrets({ password, confirmation })
  }

  return (
    <>
      <StepHeading
        title={t('leader.title')}
        text={signup.lostSecrets ? t('leader.resumed') : t('leader.text')}
        arrived={signup.moved}
      />
      <form className={styles.form} noValidate onChange={() => keep(form.getValues())} onSubmit={form.onSubmit}>
        <MutationError mutation={form.mutation} fallback={t('leader.notChecked')} />
        <PersonFields form={form} verifiedPhone={draft.verifiedPhone} />
        <StepActions
          onBack={signup.goBack}
          pending={form.mutation.isPending}
          disabledReason={form.formState.isValid ? null : t('leader.fillIn')}
        />
      </form>
    </>
  )
}
