import type { User } from '@/api/session'

const base: User = {
  uuid: '6f1c2f0e-8a43-4a51-9f5e-0d8f6a1b2c3d',
  firstName: 'Ada',
  lastName: 'Lindqvist',
  email_address: 'leader@northwind.test',
  phoneNumber: '+12025550101',
  role: 'teamLeader',
  permissions: [],
  isSubscribed: true,
  canViewWarehouse: true,
  companyId: 2,
  companyUuid: '0a7d3b52-5b1e-4a5f-8f0f-3d5b9c1e7a42',
  companyName: 'Northwind',
  clientId: null,
  language: 'en',
  emailConfirmed: true,
  firstSteps: false,
  isKeyHolder: false,
  secondFactorAccepted: true,
}

export function aLeader(change: Partial<User> = {}): User {
  return {
    ...base,
    permissions: [
      'members:read',
      'members:manage',
      'leadership:reassign',
      'warehouses:manage',
      'company:edit',
      'passphrase:manage',
      'subscription:manage',
      'help:read',
      'activity:read',
      'activity:stream',
      'client:download',
      'apiTokens:manage',
      'identity:manage',
      'policies:manage',
      'storage:manage',
    ],
    ...change,
  }
}

export function aMember(change: Partial<User> = {}): User {
  return { ...base, role: 'teamMember', permissions: ['key:hold', 'client:download'], ...change }
}

export function anAdmin(change: Partial<User> = {}): User {
  return {
    ...base,
    role: 'admin',
    companyId: 1,
    companyName: 'Tessera',
    permissions: [
      'companies:manage',
      'members:read',
      'leadership:reassign',
      'activity:read',
      'activity:readAll',
      'system:read',
    ],
    ...change,
  }
}
