import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/Skeleton'
import { CurrentStep } from './CurrentStep'
import styles from './signup.module.css'
import { Stepper } from './Stepper'
import { useSignup, type Beginning, type Signup } from './use-signup'

const PhoneGate = lazy(() => import('./PhoneGate'))
const LeaveDialog = lazy(() => import('./LeaveDialog'))
const TicketDialog = lazy(() => import('./TicketDialog'))

/** The first ten minutes with the product, in six labelled steps. */
export default function SignupPage({ begin }: { begin?: () => Beginning }) {
  const { t } = useTranslation('signup')
  const signup = useSignup(begin)
  return (
    <div className={styles.page}>
      <Stepper step={signup.step} onLeave={signup.begun ? signup.leaveDialog.open : undefined} />
      <div className={styles.content}>
        <div className={styles.card}>
          <Suspense fallback={<Skeleton label={t('common:wait')} heights={[36, 24, 72, 72, 48]} />}>
            <CurrentStep signup={signup} />
          </Suspense>
        </div>
      </div>
      <SignupDialogs signup={signup} />
    </div>
  )
}

/** What any step may have to wait for: a verified phone, a ticket that has not run out, a word before leaving. */
function SignupDialogs({ signup }: { signup: Signup }) {
  return (
    <Suspense>
      {signup.phoneDialog.isOpen ? <PhoneGate signup={signup} /> : null}
      {signup.ticketDialog.isOpen ? <TicketDialog signup={signup} /> : null}
      {signup.leaveDialog.isOpen ? <LeaveDialog signup={signup} /> : null}
    </Suspense>
  )
}
