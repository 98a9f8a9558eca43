import { api, dataOf } from '@/api/client'
import { toApiError } from '@/api/errors'
import type { components } from '@/api/types.generated'
import type { Description } from './reference/description'

type Contact = components['schemas']['ContactRead']

/** Whom to ask: the own company's team leader. */
export function getContact(): Promise<Contact> {
  return dataOf(api.GET('/api/downloads/contact'))
}

type OverdueDevice = components['schemas']['OverdueDevice']

export async function getOverdueDevices(): Promise<OverdueDevice[]> {
  return (await dataOf(api.GET('/api/storage/backups/overdue'))).devices
}

export type Release = components['schemas']['ReleaseRead']
export type ReleaseFile = components['schemas']['ReleaseFileRead']
export type Platform = components['schemas']['Platform']

export function getRelease(): Promise<Release> {
  return dataOf(api.GET('/api/downloads'))
}

/** An address the browser can fetch by itself, for some minutes: it carries no session. */
export async function newDownloadLink(fileName: string): Promise<string> {
  const path = { file_name: fileName }
  const { url } = await dataOf(api.POST('/api/downloads/{file_name}/link', { params: { path } }))
  return url
}

/** The service's OpenAPI description, its texts in the language. */
export async function getDescription(language: string): Promise<Description> {
  const response = await fetch('/api/openapi.json', { headers: { 'Accept-Language': language } })
  if (!response.ok) throw await toApiError(response)
  return (await response.json()) as Description
}
