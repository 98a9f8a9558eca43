import type { TFunction } from 'i18next'
import type { Activity } from './api'

/** What can be filtered by, in the order of the things it is about. A test compares it with the texts and the server. */
export const ACTION_CODES = [
  'session.started',
  'session.verified',
  'session.ended',
  'session.signedOut',
  'session.othersSignedOut',
  'session.allSignedOut',
  'password.changed',
  'password.reset',
  'profile.updated',
  'language.changed',
  'email.changeAsked',
  'email.changeProposed',
  'email.changeDeclined',
  'email.changeWithdrawn',
  'email.confirmed',
  'email.released',
  'phone.changeAsked',
  'phone.changeProposed',
  'phone.changeDeclined',
  'phone.changeWithdrawn',
  'phone.changed',
  'phone.resetByPlatform',
  'authenticator.started',
  'authenticator.turnedOn',
  'authenticator.turnedOff',
  'authenticator.resetByPlatform',
  'recoveryCode.used',
  'recoveryCodes.madeAnew',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'passkey.unlockTurnedOn',
  'passkey.resetByPlatform',
  'members.invited',
  'invite.resent',
  'invite.cancelled',
  'member.registered',
  'member.updated',
  'member.enabled',
  'member.disabled',
  'member.removed',
  'member.deviceSignedOut',
  'leadership.reassigned',
  'company.registered',
  'company.updated',
  'company.enabled',
  'company.disabled',
  'company.deactivatedForDebt',
  'company.deleted',
  'passphrase.revealed',
  'passphrase.formerRevealed',
  'passphrase.changed',
  'card.added',
  'card.deleted',
  'card.madeDefault',
  'billingEmail.changed',
  'autoRenew.on',
  'autoRenew.off',
  'subscription.cancelAsked',
  'subscription.reactivated',
  'subscription.planChanged',
  'subscription.trialBegan',
  'subscription.active',
  'subscription.pastDue',
  'subscription.ended',
  'subscription.gone',
  'subscription.repaired',
  'ownWarehouses.on',
  'ownWarehouses.off',
  'warehouse.added',
  'warehouse.updated',
  'warehouse.revealed',
  'warehouse.editOpened',
  'warehouse.madeDefault',
  'warehouse.republished',
  'warehouse.removed',
  'warehouse.statusChanged',
  'encryptionKey.rotated',
  'sharedWarehouse.added',
  'sharedWarehouse.removed',
  'platformKey.changed',
  'storageKeys.created',
  'storageKeys.replaced',
  'recoveryKeys.created',
  'recoveryKit.created',
  'space.created',
  'space.memberAdded',
  'space.memberRemoved',
  'storage.repaired',
  'storage.relocationStarted',
  'space.leaderChanged',
  'client.downloaded',
  'access.requested',
  'access.approved',
  'access.declined',
  'admin.created',
] as const

/** `warehouse.keyRotated` → `warehouse key rotated`: for a code that is newer than these texts. */
export function readable(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[._-]+/g, ' ')
    .toLowerCase()
    .trim()
}

/** The text of an action. */
export function describeAction(
  t: TFunction<'activity'>,
  { action, details }: Pick<Activity, 'action' | 'details'>,
): string {
  const [thing = '', verb = ''] = action.split('.')
  const count = typeof details.count === 'number' ? details.count : 1
  const words = t(`actions.${thing}.${verb}`, { defaultValue: '', count })
  return words || readable(action)
}
