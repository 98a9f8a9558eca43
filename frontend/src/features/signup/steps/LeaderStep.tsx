import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { MutationError } from '@/components/forms/FormError'
import { DialogCancelledError } from '@/hooks/use-dialog-promise'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { isEmailFree } from '../api'
import type { StepProps } from '../CurrentStep'
import { personSchema, phoneOf, type Person } from '../person'
import { PersonFields } from '../PersonFields'
import styles from '../signup.module.css'
import { StepActions, StepHeading } from '../StepLayout'

export default function LeaderStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const { draft, secrets } = signup
  const { register, control, handleSubmit, getValues, setError, formState } = useForm<Person>({
    resolver: zodResolver(personSchema),
    mode: 'onTouched',
    defaultValues: { ...draft.person, password: secrets.password, confirmation: secrets.confirmation },
  })

  function keep({ password, confirmation, ...person }: Person) {
    signup.update({ person })
    signup.keepSecrets({ password, confirmation })
  }

  const check = useSecretMutation(async (person: Person) => {
    try {
      if (signup.latest().freeEmail !== person.email) {
        if (!(await signup.withTicket((ticket) => isEmailFree(ticket, person.email)))) {
          setError('email', { type: 'server', message: t('leader.taken') }, { shouldFocus: true })
          return
        }
        signup.update({ freeEmail: person.email })
      }
      if (signup.latest().verifiedPhone !== phoneOf(person)) await signup.phoneDialog.open()
      signup.goNext()
    } catch (error) {
      if (!(error instanceof DialogCancelledError)) throw error
    }
  })
  const submit = handleSubmit(async (person) => {
    keep(person)
    await check.mutate(person)
  })

  return (
    <>
      <StepHeading
        title={t('leader.title')}
        text={signup.lostSecrets ? t('leader.resumed') : t('leader.text')}
        arrived={signup.moved}
      />
      <form
        className={styles.form}
        noValidate
        onChange={() => keep(getValues())}
        onSubmit={(event) => void submit(event)}
      >
        <MutationError mutation={check} fallback={t('leader.notChecked')} />
        <PersonFields
          register={register}
          control={control}
          verifiedPhone={draft.verifiedPhone}
          readOnly={check.isPending}
        />
        <StepActions
          onBack={signup.goBack}
          pending={check.isPending}
          disabledReason={formState.isValid ? null : t('leader.fillIn')}
        />
      </form>
    </>
  )
}
