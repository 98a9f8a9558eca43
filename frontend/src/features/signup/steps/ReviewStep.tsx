import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import { Button } from '@/components/Button'
import { CheckField } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { Status } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { AgreementSentence } from '../AgreementSentence'
import type { StepProps } from '../use-signup'
import { Summary } from '../review/Summary'
import { useSubmit } from '../review/use-submit'
import styles from '../signup.module.css'
import { StepActions, StepHeading } from '../StepLayout'

function isDeclined(error: unknown): boolean {
  return error instanceof ApiError && error.status === 402
}

/** After a failure: the card has to be verified again, whatever the reason was. */
function NextStep({ declined, onCard }: { declined: boolean; onCard: () => void }) {
  const { t } = useTranslation('signup')
  return (
    <div className={styles.nextStep}>
      <p>{declined ? t('review.declinedNext') : t('review.failedNext')}</p>
      <Button variant="outlined" size="large" onClick={onCard}>
        {declined ? t('review.otherCard') : t('review.cardAgain')}
      </Button>
    </div>
  )
}

export default function ReviewStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const { phase, submission } = useSubmit(signup)
  const { agreed, setAgreed } = signup
  const { card } = signup.secrets
  const mayRepeat = submission.error instanceof ApiError && submission.error.status === 0

  function reason(): string | null {
    if (!card) return t('payment.needCard')
    return agreed ? null : t('review.agreeFirst')
  }

  return (
    <>
      <StepHeading title={t('review.title')} text={t('review.text')} arrived={signup.moved} />
      <Form
        className={styles.form}
        onSubmit={() => {
          if (card && reason() === null) void submission.mutate(card)
        }}
      >
        <MutationError mutation={submission} fallback={t('review.failed')} />
        {submission.error && !mayRepeat ? (
          <NextStep declined={isDeclined(submission.error)} onCard={() => signup.goTo('payment')} />
        ) : null}
        <Summary signup={signup} locked={submission.isPending} />
        <CheckField
          checked={agreed}
          disabled={submission.isPending}
          onChange={(event) => setAgreed(event.target.checked)}
          label={
            <AgreementSentence
              sentence={(agreement) => t('review.agree', { agreement })}
              name={t('common:screens.agreement')}
            />
          }
        />
        <StepActions
          onBack={signup.goBack}
          pending={submission.isPending}
          disabledReason={reason()}
          label={t(phase === 'idle' ? 'review.submit' : 'review.working')}
        />
        <Status role="status">{phase === 'idle' ? '' : t(`review.phase.${phase}`)}</Status>
      </Form>
    </>
  )
}
