import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Payment = components['schemas']['PaymentRead']
export type Card = components['schemas']['CardRead']
export type Plan = components['schemas']['PlanRead']
export type Invoice = components['schemas']['InvoiceRead']
type SetupIntent = components['schemas']['SetupIntentRead']

/** What the user has confirmed to be charged at once; null for nothing. The server refuses another amount. */
type Confirmed = { amount: number | null }

/** `token`: what the card entry page handed back. The card's number never comes here. */
export function addCard({ token, amount }: Confirmed & { token: string }): Promise<Payment> {
  return dataOf(api.POST('/api/payment/add', { body: { stripeToken: token, amount } }))
}

/** `endsAt`: the last day that the user has confirmed. */
export function cancelSubscription(body: { reason: string; endsAt: string | null }): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/cancel', { body }))
}

export function deleteCard(cardId: string): Promise<Payment> {
  return dataOf(api.DELETE('/api/payment', { params: { query: { cardId } } }))
}

/** `page` counts from 0. */
function getInvoices(page: number, limit: number, signal?: AbortSignal) {
  return dataOf(api.GET('/api/payment/invoices', { params: { query: { skip: page, limit } }, signal: signal ?? null }))
}

function getPayment(signal?: AbortSignal): Promise<Payment> {
  return dataOf(api.GET('/api/payment/methods', { signal: signal ?? null }))
}

function getPlan(signal?: AbortSignal): Promise<Plan> {
  return dataOf(api.GET('/api/payment/plan', { signal: signal ?? null }))
}

/** A permission to save one card, which the card entry page uses up. */
export function newSetupIntent(): Promise<SetupIntent> {
  return dataOf(api.POST('/api/payment/setup-intent'))
}

export const paymentQuery = queryOptions({
  queryKey: ['payment', 'methods'],
  queryFn: ({ signal }) => getPayment(signal),
})

export const planQuery = queryOptions({
  queryKey: ['payment', 'plan'],
  queryFn: ({ signal }) => getPlan(signal),
})

export const invoicesKey = ['payment', 'invoices'] as const

export function invoicesQuery(page: number, limit: number) {
  return queryOptions({
    queryKey: [...invoicesKey, page, limit],
    queryFn: ({ signal }) => getInvoices(page, limit, signal),
    placeholderData: keepPreviousData,
  })
}

type Reactivation = Confirmed & {
  /** The token of a new card, if there is no card yet. */
  token?: string
}

export function reactivateSubscription({ amount, token }: Reactivation): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/reactivate', { body: { amount, ...(token ? { stripeToken: token } : {}) } }))
}

export function setBillingEmail(email: string): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/billing-email', { body: { email } }))
}

/** The wanted state is always sent along: a retry does not flip it twice. */
export function setAutoRenew(enabled: boolean): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/auto-renew', { body: { enabled } }))
}

export function setDefaultCard({ cardId, amount }: Confirmed & { cardId: string }): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/default', { params: { query: { cardId } }, body: { amount } }))
}

export function setOwnWarehouses(enabled: boolean): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/own-warehouses', { body: { enabled } }))
}

export function switchPlan(planId: number): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/switch-plan', { params: { query: { PlanId: planId } } }))
}
