import { api, dataOf } from '@/api/client'
import { ApiError } from '@/api/errors'
import { toSentCode, type SentCode } from '@/api/one-time-code'
import type { components } from '@/api/types.generated'
import type { CardIntent } from '@/card/protocol'

/** Tells the team leader that somebody stands before a link that has ended. */
export async function askForInvitation(token: string): Promise<void> {
  await api.POST('/api/auth/invite/ask', { body: { token } })
}

/** What lets somebody without an account use the sign-up calls: a ticket, or an invitation. */
type Pass = { ticket: string } | { invite: string }

function passHeaders(pass: Pass): Record<string, string> {
  return 'ticket' in pass ? { 'X-Signup-Ticket': pass.ticket } : { 'X-Invite-Token': pass.invite }
}

/** The ticket is valid for an hour; after that the registration password is asked for again. */
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

/** Whether nobody uses the address yet. */
export async function isEmailFree(ticket: string, email: string): Promise<boolean> {
  try {
    await api.POST('/api/auth/verify-email', { params: { query: { email } }, headers: passHeaders({ ticket }) })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'address_in_use') return false
    throw error
  }
}

export type Invite = { email: string; companyName: string; companyUuid: string }
type InviteLink = ({ state: 'open' | 'expired' | 'cancelled' | 'used' } & Invite) | { state: 'unknown' }

export async function getInvite(token: string): Promise<InviteLink> {
  try {
    const { email_address: email, ...invite } = await dataOf(
      api.GET('/api/auth/invite', { params: { query: { token } } }),
    )
    return { ...invite, email }
  } catch (error) {
    // 422: a text that could not be a token at all, such as half a link.
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return { state: 'unknown' }
    throw error
  }
}

/** A permission to check one card for a company that does not exist yet. */
export function newSignupIntent(ticket: string): Promise<CardIntent> {
  return dataOf(api.POST('/api/payment/setup-intent', { headers: passHeaders({ ticket }) }))
}

export async function sendSignupCode(pass: Pass, phoneNumber: string): Promise<SentCode> {
  const params = { query: { phoneNumber } }
  return toSentCode(await dataOf(api.GET('/api/auth/signup-otp', { params, headers: passHeaders(pass) })))
}

export async function verifySignupCode(pass: Pass, phoneNumber: string, otp: string): Promise<void> {
  await api.POST('/api/auth/verify-signup-otp', { body: { phoneNumber, otp }, headers: passHeaders(pass) })
}

/** `password` and `userKey` are what the browser derived and sealed. */
type NewMember = components['schemas']['NewPerson']

export function registerMember(token: string, member: NewMember): Promise<components['schemas']['MemberRegistered']> {
  return dataOf(api.POST('/api/auth/register', { params: { query: { token } }, body: member }))
}

/** `password`, `userKey` and `passPhrase` are what the browser derived and sealed: nothing in it opens anything. */
export type Registration = components['schemas']['RegisterTeamLeader']
export type Registered = components['schemas']['Registered']

export async function registerTeamLeader(ticket: string, registration: Registration): Promise<Registered> {
  const headers = passHeaders({ ticket })
  const { data } = await dataOf(api.POST('/api/auth/register-team-leader', { body: registration, headers }))
  return data
}

/** Answers the ticket that the later calls of a sign-up need. */
export async function verifyRegistrationPassword(password: string): Promise<string> {
  const { ticket } = await dataOf(api.POST('/api/auth/verify-registration-password', { body: { password } }))
  return ticket
}

/** A ticket without the registration password: for a personal link, or null where everyone may sign up. */
export async function newTicket(link: string | null): Promise<string> {
  const { ticket } = await dataOf(api.POST('/api/auth/signup-ticket', { body: { token: link } }))
  return ticket
}

export async function requestAccess(body: components['schemas']['AccessRequestCreate']): Promise<void> {
  await api.POST('/api/auth/request-access', { body })
}

/** Whether everyone may sign up. */
export async function isRegistrationOpen(): Promise<boolean> {
  const { openRegistration } = await dataOf(api.GET('/api/config'))
  return openRegistration
}
