import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Usage = components['schemas']['UsageRead']
export type Health = components['schemas']['HealthRead']
export type HealthWarehouse = components['schemas']['HealthWarehouse']
export type Repair = components['schemas']['RepairRead']
export type StorageDevice = components['schemas']['StorageDevice']
export type WaitingMember = components['schemas']['WaitingMember']
export type FormerMember = components['schemas']['FormerMember']
export type Share = components['schemas']['ShareRead']
export type Restore = components['schemas']['RestoreRead']
export type FileRequest = components['schemas']['RequestRead']
export type SharePolicy = components['schemas']['SharePolicy']

export const storageKeys = {
  all: ['storage'] as const,
  devices: ['storage', 'devices'] as const,
  shares: ['storage', 'shares'] as const,
  requests: ['storage', 'requests'] as const,
}

// Polled more often while a repair is running.
const REPAIR_INTERVAL = 5_000

export type StorageOverview = {
  usage: Usage
  health: Health
  repair: Repair | undefined
  waiting: WaitingMember[]
  former: FormerMember[]
  restore: Restore
}

async function getOverview(signal: AbortSignal): Promise<StorageOverview> {
  const [usage, health, { repairs }, waiting, removals, restore] = await Promise.all([
    dataOf(api.GET('/api/storage/usage', { signal })),
    dataOf(api.GET('/api/storage/health', { signal })),
    dataOf(api.GET('/api/storage/repairs', { signal })),
    dataOf(api.GET('/api/storage/waiting', { signal })),
    dataOf(api.GET('/api/storage/removals', { signal })),
    dataOf(api.GET('/api/storage/restore', { signal })),
  ])
  return { usage, health, repair: repairs[0], waiting: waiting.members, former: removals.members, restore }
}

export const storageOverview = queryOptions({
  queryKey: storageKeys.all,
  queryFn: ({ signal }) => getOverview(signal),
  refetchInterval: ({ state }) => (state.data?.repair && !state.data.repair.finishedAt ? REPAIR_INTERVAL : false),
})

export const storageDevices = queryOptions({
  queryKey: storageKeys.devices,
  queryFn: async ({ signal }) => (await dataOf(api.GET('/api/storage/devices', { signal }))).devices,
})

export function endDevice({ userUuid, id }: StorageDevice): Promise<unknown> {
  return dataOf(
    api.DELETE('/api/user/{uuid}/client-sessions/{session_id}', {
      params: { path: { uuid: userUuid, session_id: id } },
    }),
  )
}

/** Links by which people without an account get files, and by which they send some. */
export type LinkKind = 'shares' | 'requests'
export type GuestLink = Share | FileRequest
export type LinkPolicy = SharePolicy

export const storageShares = queryOptions({
  queryKey: storageKeys.shares,
  queryFn: async ({ signal }) => {
    const [{ shares }, policy] = await Promise.all([
      dataOf(api.GET('/api/storage/shares', { signal })),
      dataOf(api.GET('/api/storage/share-policy', { signal })),
    ])
    return { links: shares, policy }
  },
})

export const storageRequests = queryOptions({
  queryKey: storageKeys.requests,
  queryFn: async ({ signal }) => {
    const [{ requests }, policy] = await Promise.all([
      dataOf(api.GET('/api/storage/requests', { signal })),
      dataOf(api.GET('/api/storage/request-policy', { signal })),
    ])
    return { links: requests, policy }
  },
})

export function endLink(kind: LinkKind, id: string): Promise<unknown> {
  return kind === 'shares'
    ? dataOf(api.DELETE('/api/storage/shares/{share_id}', { params: { path: { share_id: id } } }))
    : dataOf(api.DELETE('/api/storage/requests/{request_id}', { params: { path: { request_id: id } } }))
}

export function changeLinkPolicy(kind: LinkKind, policy: LinkPolicy): Promise<unknown> {
  return kind === 'shares'
    ? dataOf(api.PUT('/api/storage/share-policy', { body: policy }))
    : dataOf(api.PUT('/api/storage/request-policy', { body: policy }))
}
