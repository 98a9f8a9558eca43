import { lazy } from 'react'

export const InviteDialog = lazy(() => import('./InviteDialog'))
export const InvitedMembers = lazy(() => import('./InvitedMembers'))
