import { leaderRow } from '@/testing/members'
import type { CompanyDetail, ListedCompany } from '../api'

export function aCompany(change: Partial<ListedCompany> = {}): ListedCompany {
  return {
    id: 2,
    companyId: 2,
    uuid: '0a7d3b52-5b1e-4a5f-8f0f-3d5b9c1e7a42',
    name: 'Northwind Ltd',
    email: 'office@northwind.test',
    phoneNumber: '+12025550110',
    address: { addressLine1: '14 Harbour Street', addressLine2: '', city: 'Portland', state: 'ME', zipCode: '04101' },
    isEnabled: true,
    dateCreated: '2026-02-03T10:00:00Z',
    isSubscribed: true,
    canViewWarehouse: false,
    memberCount: 42,
    subscriptionState: 'active',
    subscribedUntil: '2026-12-03T10:00:00Z',
    ...change,
  }
}

export const disabledCompany = aCompany({ id: 3, companyId: 3, name: 'Pinecrest', isEnabled: false, memberCount: 1 })

export const detail: CompanyDetail = {
  ...aCompany(),
  billing: { customerId: null, planId: 0, trialEnd: null, nextBilling: null, endsAt: null, pastDueSince: null },
  disabledReason: '',
  leavingSince: null,
  deletionAt: null,
  activeMemberCount: 40,
  openInviteCount: 3,
  hasPassphrase: true,
  deactivatedForDebtAt: null,
  lastActivityAt: '2026-02-04T10:00:00Z',
  warehouses: [
    {
      wareHouseId: 3,
      typeName: 'AWS S3',
      nickName: 'Frankfurt archive',
      status: 2,
      isDefault: true,
      lastCheck: null,
      isShared: false,
    },
    {
      wareHouseId: 4,
      typeName: 'Azure',
      nickName: null,
      status: 0,
      isDefault: false,
      lastCheck: null,
      isShared: false,
    },
  ],
  teamLeader: leaderRow,
}
