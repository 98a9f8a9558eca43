import { lazy } from 'react'

export { inviteTotal } from './api'

export const InviteDialog = lazy(() => import('./InviteDialog'))
export const InvitedMembers = lazy(() => import('./InvitedMembers'))
