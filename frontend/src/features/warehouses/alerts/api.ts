import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Recipient = components['schemas']['AlertRecipient']
export type Webhook = components['schemas']['WebhookRead']
export type Delivery = components['schemas']['WebhookDelivery']

const SENDING_MS = 1_500
const WATCHING_MS = 30_000

/** Polled, because deliveries go on by themselves; more often while a first attempt is under way. */
export const alertsQuery = queryOptions({
  queryKey: ['warehouses', 'alerts'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/warehouse-alerts', { signal })),
  refetchInterval: ({ state: { data } }) =>
    data?.webhook?.deliveries.some(({ outcome, attempts }) => outcome === 'waiting' && attempts === 0)
      ? SENDING_MS
      : WATCHING_MS,
})

const FOUND = 5

/** Active members that match. Those who get alerts already take places too, so there are more than are shown. */
export function memberSearch(text: string, chosen: number) {
  const query = {
    skip: 0,
    limit: FOUND + chosen,
    searchText: text,
    filter: ['role:matches:teamMember', 'isActive:matches:true'],
  }
  return queryOptions({
    queryKey: ['warehouses', 'alerts', 'members', query],
    queryFn: ({ signal }) => dataOf(api.GET('/api/users', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    enabled: text !== '',
  })
}

export async function addRecipient(uuid: string): Promise<void> {
  await api.PUT('/api/warehouse-alerts/recipients/{uuid}', { params: { path: { uuid } } })
}

export async function removeRecipient(uuid: string): Promise<void> {
  await api.DELETE('/api/warehouse-alerts/recipients/{uuid}', { params: { path: { uuid } } })
}

/** Answers the secret when the webhook is new. It is shown once, and never kept in the query cache. */
export async function saveWebhook(url: string): Promise<string | null> {
  return (await dataOf(api.PUT('/api/warehouse-alerts/webhook', { body: { url } }))).secret
}

export async function replaceSecret(): Promise<string | null> {
  return (await dataOf(api.POST('/api/warehouse-alerts/webhook/secret'))).secret
}

export async function removeWebhook(): Promise<void> {
  await api.DELETE('/api/warehouse-alerts/webhook')
}

export async function sendTestEvent(): Promise<void> {
  await api.POST('/api/warehouse-alerts/webhook/test')
}
