import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paymentQuery } from './api'
import { dialogStore, type SubscriptionDialog } from './dialog-store'
import { CancelledDialog } from './dialogs/CancelledDialog'
import { UnsubscribedDialog } from './dialogs/UnsubscribedDialog'

// Session storage ends with the login, and so does what was told during it.
const toldKey = 'tessera.subscription.told'

/** Tells a leader on arrival that the subscription is not active, once per login and state. */
export default function SubscriptionNotice() {
  const navigate = useNavigate()
  const { data: payment } = useQuery(paymentQuery)
  const [told, setTold] = useState(() => sessionStorage.getItem(toldKey))
  if (!payment || payment.isSubscribed) return null
  const state = `told:${payment.status}`
  if (told === state) return null

  const close = () => {
    sessionStorage.setItem(toldKey, state)
    setTold(state)
  }
  const open = (dialog?: SubscriptionDialog) => {
    close()
    if (dialog) dialogStore.show(dialog)
    void navigate('/subscription')
  }
  if (payment.status === 'cancelled') return <CancelledDialog onChoose={open} onClose={close} />
  return <UnsubscribedDialog isDeactivated={payment.isDeactivated} onOpen={() => open()} onClose={close} />
}
