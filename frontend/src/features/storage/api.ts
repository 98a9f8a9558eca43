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

export const storageKeys = {
  all: ['storage'] as const,
  devices: ['storage', 'devices'] as const,
}

// Polled more often while a repair is running.
const REPAIR_INTERVAL = 5_000

export type StorageOverview = {
  usage: Usage
  health: Health
  repair: Repair | undefined
  waiting: WaitingMember[]
  former: FormerMember[]
}

async function getOverview(signal: AbortSignal): Promise<StorageOverview> {
  const [usage, health, { repairs }, waiting, removals] = await Promise.all([
    dataOf(api.GET('/api/storage/usage', { signal })),
    dataOf(api.GET('/api/storage/health', { signal })),
    dataOf(api.GET('/api/storage/repairs', { signal })),
    dataOf(api.GET('/api/storage/waiting', { signal })),
    dataOf(api.GET('/api/storage/removals', { signal })),
  ])
  return { usage, health, repair: repairs[0], waiting: waiting.members, former: removals.members }
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
