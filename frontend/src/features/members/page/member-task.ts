import type { Member } from '../api/list-members'
import type { CompanyRef } from '../api/member-keys'

export type MemberTaskKind = 'edit' | 'status' | 'remove' | 'lead'

/** What has been asked for and opens over the list. */
export type MemberTask = { kind: MemberTaskKind; member: Member; company: CompanyRef }
