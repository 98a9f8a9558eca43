import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { currentLanguage } from '@/i18n/i18n'

export type AuditStream = components['schemas']['ActivityStreamRead']
export type StreamState = components['schemas']['StreamState']
export type StreamUpdate = components['schemas']['ActivityStreamUpdate']
export type Check = components['schemas']['ActivityCheck']
export type Target = 'webhook' | 'warehouse'

export const STREAM_KEY = ['activityStream']

const CHECKING_MS = 1_500
const WATCHING_MS = 15_000

/** Polled, because the streams go on by themselves; more often while a check runs. */
export function streamQuery() {
  return queryOptions({
    // What a check found comes in the language of the request.
    queryKey: [...STREAM_KEY, currentLanguage()],
    queryFn: ({ signal }) => dataOf(api.GET('/api/activity/stream', { signal })),
    refetchInterval: ({ state: { data } }) => (data?.check && !data.check.finishedAt ? CHECKING_MS : WATCHING_MS),
  })
}

export async function saveStream(body: StreamUpdate): Promise<void> {
  await api.PUT('/api/activity/stream', { body })
}

export async function replayStream(target: Target): Promise<void> {
  await api.POST('/api/activity/stream/replay', { body: { target } })
}

export async function startCheck(head: string | null): Promise<void> {
  await api.POST('/api/activity/check', { body: { head } })
}
