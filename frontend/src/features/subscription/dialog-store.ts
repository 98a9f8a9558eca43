import { onSignOut } from '@/api/session'

export type SubscriptionDialog = 'addCard' | 'changePlan' | 'cancel' | 'reactivate'

let open: SubscriptionDialog | null = null
const listeners = new Set<() => void>()

function become(next: SubscriptionDialog | null): void {
  open = next
  for (const listener of listeners) listener()
}

/** Which dialog the subscription page shows. A notice on another screen may ask for one before it leads there. */
export const dialogStore = {
  get: (): SubscriptionDialog | null => open,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  show: (dialog: SubscriptionDialog): void => become(dialog),
  close: (): void => become(null),
}

onSignOut(dialogStore.close)
