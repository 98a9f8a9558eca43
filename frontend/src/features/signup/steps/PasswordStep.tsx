import { useTranslation } from 'react-i18next'
import type { StepProps } from '../use-signup'
import styles from '../signup.module.css'
import { Done, StepActions, StepHeading } from '../StepLayout'
import { TicketForm } from '../TicketForm'

export function PasswordStep({ signup }: StepProps) {
  const { t } = useTranslation('signup')
  const heading = <StepHeading title={t('password.title')} text={t('password.text')} arrived={signup.moved} />
  if (signup.draft.ticket) {
    return (
      <>
        {heading}
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            signup.goNext()
          }}
        >
          <Done>{t('password.verified')}</Done>
          <StepActions disabledReason={null} />
        </form>
      </>
    )
  }
  return (
    <>
      {heading}
      <TicketForm
        onTicket={(ticket) => {
          signup.takeTicket(ticket)
          signup.goNext()
        }}
      />
    </>
  )
}
