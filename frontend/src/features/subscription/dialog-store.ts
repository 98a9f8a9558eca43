import { onSignOut } from '@/api/session'
import { createStore } from '@/lib/create-store'
import type { Payment } from './api'

export type SubscriptionDialog =
  'addCard' | 'autoRenewOff' | 'billingEmail' | 'changePlan' | 'cancel' | 'pay' | 'reactivate'

export type DialogProps = { payment: Payment; open: boolean; onClose: () => void }

const store = createStore<SubscriptionDialog | null>(null)

/** Which dialog the subscription page shows. A notice on another screen may request one before it leads there. */
export const dialogStore = {
  get: store.get,
  subscribe: store.subscribe,
  show: (dialog: SubscriptionDialog) => store.set(dialog),
  close: () => store.set(null),
}

onSignOut(dialogStore.close)
