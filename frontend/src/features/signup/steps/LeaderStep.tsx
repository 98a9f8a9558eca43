import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { describeFailure } from '@/features/auth/describe-failure'
import { FormError } from '@/features/auth/FormError'
import { useTask } from '@/features/auth/use-task'
import { isEmailFree } from '../api/check-email'
import type { StepProps } from '../CurrentStep'
import { personSchema, phoneOf, type Person } from '../person'
import { PersonFields } from '../PersonFields'
import styles from '../signup.module.css'
import { StepActions } from '../StepActions'
import { StepHeading } from '../StepHeading'
import { AskCancelledError } from '../use-ask'

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

  const check = useTask(async (person: Person) => {
    try {
      if (signup.latest().freeEmail !== person.email) {
        if (!(await signup.withTicket((ticket) => isEmailFree(ticket, person.email)))) {
          setError('email', { type: 'server', message: t('leader.taken') }, { shouldFocus: true })
          return
        }
        signup.update({ freeEmail: person.email })
      }
      if (signup.latest().verifiedPhone !== phoneOf(person)) await signup.phoneDialog.ask()
      signup.goNext()
    } catch (error) {
      if (!(error instanceof AskCancelledError)) throw error
    }
  })
  const submit = handleSubmit(async (person) => {
    keep(person)
    await check.run(person)
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
        {check.error ? (
          <FormError key={check.failedAt}>{describeFailure(check.error, t('leader.notChecked'), t)}</FormError>
        ) : null}
        <PersonFields
          register={register}
          control={control}
          verifiedPhone={draft.verifiedPhone}
          readOnly={check.pending}
        />
        <StepActions
          onBack={signup.goBack}
          pending={check.pending}
          disabledReason={formState.isValid ? null : t('leader.fillIn')}
        />
      </form>
    </>
  )
}
