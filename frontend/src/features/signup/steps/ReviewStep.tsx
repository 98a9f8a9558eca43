import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import authStyles from '@/features/auth/auth.module.css'
import { CheckField } from '@/features/auth/CheckField'
import { describeFailure } from '@/features/auth/describe-failure'
import { FormError } from '@/features/auth/FormError'
import type { StepProps } from '../CurrentStep'
import { AgreementLabel } from '../review/AgreementLabel'
import { Summary } from '../review/Summary'
import { useSubmit } from '../review/use-submit'
import styles from '../signup.module.css'
import { StepActions } from '../StepActions'
import { StepHeading } from '../StepHeading'

export default function ReviewStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const [agreed, setAgreed] = useState(false)
  const { phase, task } = useSubmit(signup)
  const { card } = signup.secrets
  const mayRepeat = task.error instanceof ApiError && task.error.status === 0

  function reason(): string | null {
    if (task.error && !mayRepeat) return t('review.mendFirst')
    if (!card) return t('payment.needCard')
    return agreed ? null : t('review.agreeFirst')
  }

  return (
    <>
      <StepHeading title={t('review.title')} text={t('review.text')} arrived={signup.moved} />
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (card && reason() === null) void task.run(card)
        }}
      >
        {task.error ? (
          <FormError key={task.failedAt}>{describeFailure(task.error, t('review.failed'), t)}</FormError>
        ) : null}
        <Summary signup={signup} locked={task.pending} />
        <CheckField
          checked={agreed}
          disabled={task.pending}
          onChange={(event) => setAgreed(event.target.checked)}
          label={<AgreementLabel />}
        />
        <StepActions
          onBack={signup.goBack}
          pending={task.pending}
          disabledReason={reason()}
          label={t(phase === 'idle' ? 'review.submit' : 'review.working')}
        />
        <p className={authStyles.status} role="status">
          {phase === 'idle' ? '' : t(`review.phase.${phase}`)}
        </p>
      </form>
    </>
  )
}
