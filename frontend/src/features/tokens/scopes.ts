import type { Scope } from './api'

/** Keys of the texts, in the order of the form. */
const TEXTS: Record<Scope, string> = {
  'members:read': 'membersRead',
  'members:manage': 'membersManage',
  'activity:read': 'activityRead',
  'company:read': 'companyRead',
  'company:edit': 'companyEdit',
  'warehouses:manage': 'warehousesManage',
  'storage:status': 'storageStatus',
  'subscription:read': 'subscriptionRead',
  'client:download': 'clientDownload',
}

export const SCOPES = Object.keys(TEXTS) as Scope[]

/** The key of a scope's text; null for one that this version does not know. */
export function scopeText(scope: string): string | null {
  return scope in TEXTS ? `scopes.${TEXTS[scope as Scope]}` : null
}
