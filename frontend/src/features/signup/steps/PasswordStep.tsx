import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { takeLinkToken } from '@/api/link-token'
import { Button } from '@/components/Button'
import { useFetch } from '@/hooks/use-fetch'
import { isRegistrationOpen } from '../api'
import styles from '../signup.module.css'
import { Done, StepActions, StepHeading } from '../StepLayout'
import { TicketForm } from '../TicketForm'
import { StartWithoutPassword } from '../StartWithoutPassword'
import type { StepProps } from '../use-signup'

const never = () => () => undefined
const RequestAccessDialog = lazy(() => import('../RequestAccessDialog'))

export function PasswordStep({ signup }: StepProps) {
  const { t } = useTranslation('signup')
  const link = takeLinkToken()
  const { data: open } = useFetch(isRegistrationOpen, '')
  const text = t(link ? 'access.linkText' : open ? 'access.openText' : 'password.text')
  const title = t(link || open ? 'access.welcome' : 'password.title')
  const heading = <StepHeading title={title} text={text} arrived={signup.moved} />
  function onTicket(ticket: string) {
    signup.takeTicket(ticket)
    signup.goNext()
  }
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
          <Done>{t(link || open ? 'access.begun' : 'password.verified')}</Done>
          <StepActions disabledReason={null} />
        </form>
      </>
    )
  }
  return (
    <>
      {heading}
      {link || open ? <StartWithoutPassword link={link} onTicket={onTicket} /> : <TicketForm onTicket={onTicket} />}
      {open ? null : <RequestAccess question={t(link ? 'access.broken' : 'access.without')} />}
    </>
  )
}

function RequestAccess({ question }: { question: string }) {
  const { t } = useTranslation('signup')
  const [opened, setOpened] = useState<boolean>()
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  // The landing page's link asks for the dialog at once.
  const isOpen = opened ?? (inBrowser && window.location.hash === '#request-access')
  return (
    <>
      <p className={styles.request}>
        {question} {/* A click before the scripts run would be lost. */}
        <Button variant="text" disabled={!inBrowser} onClick={() => setOpened(true)}>
          {t('access.title')}
        </Button>
      </p>
      <Suspense>{isOpen ? <RequestAccessDialog onClose={() => setOpened(false)} /> : null}</Suspense>
    </>
  )
}
