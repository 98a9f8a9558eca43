import type { components } from '@/api/types.generated'

type Member = components['schemas']['MemberRead']

export function aMemberRow(change: Partial<Member> = {}): Member {
  return {
    uuid: '11111111-1111-4111-8111-111111111111',
    firstName: 'Omar',
    lastName: 'Haddad',
    email_address: 'omar@northwind.test',
    phoneNumber: '+12025550102',
    role: 'teamMember',
    isActive: true,
    dateCreated: '2026-02-03T10:00:00Z',
    lastLogin: null,
    twoStep: 'sms',
    pendingEmailAddress: null,
    pendingPhoneNumber: null,
    groups: [],
    ...change,
  }
}

export const leaderRow = aMemberRow({
  uuid: '6f1c2f0e-8a43-4a51-9f5e-0d8f6a1b2c3d',
  firstName: 'Ada',
  lastName: 'Lindqvist',
  email_address: 'leader@northwind.test',
  role: 'teamLeader',
})

export const disabledRow = aMemberRow({
  uuid: '22222222-2222-4222-8222-222222222222',
  firstName: 'Zoë',
  email_address: 'zoe@northwind.test',
  isActive: false,
})
