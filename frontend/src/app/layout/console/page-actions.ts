/** What can be done on a screen, for the search: the screen opens it when a navigation asks for it. */
export type PageAction = {
  /** Key under `pageActions` and `pageActionWords` in the overlays' texts. */
  id: string
  /** The screens that have it. */
  screens: readonly string[]
  /** Its name on the screen, for `useOpenRequest`. */
  open: string
}

export const pageActions: readonly PageAction[] = [
  { id: 'invite', screens: ['teamMembers'], open: 'invite' },
  { id: 'invitations', screens: ['teamMembers'], open: 'invitations' },
  { id: 'addWarehouse', screens: ['warehouses'], open: 'add' },
  { id: 'newKey', screens: ['warehouses'], open: 'newKey' },
  { id: 'alerts', screens: ['warehouses'], open: 'alerts' },
  { id: 'addCard', screens: ['subscription'], open: 'addCard' },
  { id: 'billingEmail', screens: ['subscription'], open: 'billingEmail' },
  { id: 'cancelSubscription', screens: ['subscription'], open: 'cancel' },
  { id: 'createToken', screens: ['apiTokens'], open: 'create' },
  { id: 'audit', screens: ['activity'], open: 'audit' },
  { id: 'exportActivity', screens: ['activity'], open: 'export' },
]
