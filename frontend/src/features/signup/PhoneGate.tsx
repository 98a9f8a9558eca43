import { sendSignupCode, verifySignupCode } from './api'
import { phoneOf } from './person'
import { PhoneDialog } from './PhoneDialog'
import type { Signup } from './use-signup'

export default function PhoneGate({ signup }: { signup: Signup }) {
  const { draft, withTicket, update, phoneDialog } = signup
  const number = phoneOf(draft.person)
  return (
    <PhoneDialog
      number={number}
      send={() => withTicket((ticket) => sendSignupCode({ ticket }, number))}
      verify={async (code) => {
        await withTicket((ticket) => verifySignupCode({ ticket }, number, code))
        update({ verifiedPhone: number })
      }}
      onDone={() => phoneDialog.answer(undefined)}
      onCancel={phoneDialog.cancel}
    />
  )
}
