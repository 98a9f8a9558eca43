import { api, dataOf } from '@/api/client'

/** `page` counts from 0. */
export function getInvoices(page: number, limit: number, signal?: AbortSignal) {
  return dataOf(api.GET('/api/payment/invoices', { params: { query: { skip: page, limit } }, signal: signal ?? null }))
}
