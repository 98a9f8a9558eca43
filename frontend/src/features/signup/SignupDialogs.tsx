import { lazy, Suspense } from 'react'
import type { Signup } from './use-signup'

const PhoneGate = lazy(() => import('./PhoneGate'))
const TicketDialog = lazy(() => import('./TicketDialog'))

/** What any step may have to wait for: a verified phone, or a ticket that has not run out. */
export function SignupDialogs({ signup }: { signup: Signup }) {
  return (
    <Suspense>
      {signup.phoneDialog.isOpen ? <PhoneGate signup={signup} /> : null}
      {signup.ticketDialog.isOpen ? <TicketDialog signup={signup} /> : null}
    </Suspense>
  )
}
