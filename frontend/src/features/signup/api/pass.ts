import { ApiError } from '@/api/errors'

/** What lets somebody without an account use the sign-up calls: a ticket, or an invitation. */
export type Pass = { ticket: string } | { invite: string }

export function passHeaders(pass: Pass): Record<string, string> {
  return 'ticket' in pass ? { 'X-Signup-Ticket': pass.ticket } : { 'X-Invite-Token': pass.invite }
}

/** The ticket lives for an hour; afterwards the registration password is asked for again. */
export function isTicketRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code.startsWith('signup_ticket_')
}

/** Verified under another ticket, or a while ago. */
export function isPhoneRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'phone_not_verified'
}

/** An earlier submit is still at work: the same one, made again, answers its outcome. */
export function isUnderWay(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'registration_under_way'
}
