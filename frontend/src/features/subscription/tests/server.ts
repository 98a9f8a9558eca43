import { vi } from 'vitest'
import { aLeader } from '@/testing/users'
import type { Card, Invoice, Payment, Plan } from '../api'

export type Call = { key: string; body: unknown; query: URLSearchParams }
type Handlers = Record<string, (call: Call) => Response | Promise<Response>>

export const visa: Card = { id: 'pm_visa', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2031 }
export const amex: Card = { id: 'pm_amex', brand: 'amex', last4: '0005', expMonth: 11, expYear: 2030 }

export function aPayment(change: Partial<Payment> = {}): Payment {
  return {
    cards: [visa, amex],
    defaultCardId: visa.id,
    status: 'active',
    renewalDate: '2026-12-15T10:00:00Z',
    isCanceled: false,
    planId: 5,
    autoRenew: true,
    endsAt: null,
    trialEndsAt: null,
    nextAmount: 75_000,
    currency: 'usd',
    amountDue: 0,
    pastDueSince: null,
    accessUntil: null,
    deactivatesAt: null,
    isDeactivated: false,
    isSubscribed: true,
    reactivationAmount: null,
    notice: { deadline: '2026-11-24T10:00:00Z', endsAt: '2026-12-15T10:00:00Z', amount: 0 },
    billingEmail: 'billing@northwind.test',
    usesDefaultWarehouses: true,
    hasOwnWarehouses: false,
    ...change,
  }
}

/** Cancelled, and the paid time is over. */
export function anEndedPayment(change: Partial<Payment> = {}): Payment {
  return aPayment({
    status: 'cancelled',
    autoRenew: false,
    isCanceled: true,
    endsAt: '2026-11-01T10:00:00Z',
    isSubscribed: false,
    nextAmount: null,
    reactivationAmount: 75_000,
    notice: null,
    ...change,
  })
}

const basic = { planId: 5, name: 'Basic', amount: 75_000, currency: 'usd', interval: 'month', trialDays: 30 } as const

export const plan: Plan = {
  planId: 5,
  plan: basic,
  facts: {
    activeClouds: 3,
    uploadGbPerMonth: 25,
    redundantStorage: true,
    lostFileRecovery: true,
    statusMonitoring: true,
    zeroKnowledge: true,
  },
  nextAmount: 75_000,
  nextDate: '2026-12-15T10:00:00Z',
  onSale: [basic],
}

export function anInvoice(change: Partial<Invoice> = {}): Invoice {
  return {
    id: 'in_1',
    number: 'NW-0001',
    status: 'paid',
    amountDue: 75_000,
    amountPaid: 75_000,
    amountRemaining: 0,
    currency: 'usd',
    date: '2026-11-15T10:00:00Z',
    periodStart: '2026-11-15T10:00:00Z',
    periodEnd: '2026-12-15T10:00:00Z',
    paidAt: '2026-11-15T10:00:00Z',
    nextAttemptAt: null,
    pageUrl: null,
    pdfUrl: 'https://pay.test/NW-0001.pdf',
    ...change,
  }
}

export function fail(status: number, code: string, message = ''): Response {
  return Response.json({ code, message }, { status })
}

/** Answers at the network's edge. What is not given otherwise is a company in good order. */
export function serve(payment: Payment, handlers: Handlers = {}) {
  const calls: Call[] = []
  const all: Handlers = {
    'GET /api/payment/methods': () => Response.json(payment),
    'GET /api/payment/plan': () => Response.json(plan),
    'GET /api/payment/invoices': () => Response.json({ item1: [anInvoice()], item2: 1 }),
    'GET /api/config': () =>
      Response.json({ mode: 'sandbox', chatUrl: null, cardOrigin: 'http://cards.test', version: '1' }),
    'GET /api/auth/login-token': () => Response.json({ access_token: 't', user: aLeader() }),
    'POST /api/payment/setup-intent': () =>
      Response.json({ id: 'seti_1', clientSecret: 'seti_1_secret', publishableKey: 'pk_test' }),
    ...handlers,
  }
  vi.stubGlobal('fetch', async (input: Request) => {
    const url = new URL(input.url)
    const text = await input.text()
    const key = `${input.method} ${url.pathname}`
    const call = { key, query: url.searchParams, body: text ? (JSON.parse(text) as unknown) : undefined }
    calls.push(call)
    return all[key]?.(call) ?? fail(404, 'not_found', `Nothing at ${key}`)
  })
  return { calls, to: (key: string) => calls.filter((call) => call.key === key) }
}
