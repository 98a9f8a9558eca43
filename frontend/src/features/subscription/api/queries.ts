import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getInvoices } from './get-invoices'
import { getPayment } from './get-payment'
import { getPlan } from './get-plan'

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
