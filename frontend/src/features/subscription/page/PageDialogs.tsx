import { lazy, Suspense, type ComponentType } from 'react'
import { useStore } from '@/lib/create-store'
import type { Payment } from '../api'
import { dialogStore, type DialogProps, type SubscriptionDialog } from '../dialog-store'

const dialogs: Record<SubscriptionDialog, ComponentType<DialogProps>> = {
  billingEmail: lazy(() => import('../dialogs/BillingEmailDialog')),
  autoRenewOff: lazy(() => import('../dialogs/AutoRenewDialog')),
  addCard: lazy(() => import('../dialogs/AddCardDialog')),
  changePlan: lazy(() => import('../dialogs/ChangePlanDialog')),
  cancel: lazy(() => import('../dialogs/CancelDialog')),
  pay: lazy(() => import('../dialogs/PayDialog')),
  reactivate: lazy(() => import('../dialogs/ReactivateDialog')),
}

/** Dialogs are loaded when opened and unmounted when closed, so nothing typed is kept. */
export function PageDialogs({ payment }: { payment: Payment }) {
  const name = useStore(dialogStore)
  if (!name) return null
  const Dialog = dialogs[name]
  return (
    <Suspense fallback={null}>
      <Dialog payment={payment} open onClose={dialogStore.close} />
    </Suspense>
  )
}
