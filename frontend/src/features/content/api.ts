import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

type Contact = components['schemas']['ContactRead']

/** Whom to ask: the own company's team leader. */
export function getContact(): Promise<Contact> {
  return dataOf(api.GET('/api/downloads/contact'))
}

export type Release = components['schemas']['ReleaseRead']
export type Installer = components['schemas']['InstallerRead']
export type Platform = components['schemas']['Platform']

export function getRelease(): Promise<Release> {
  return dataOf(api.GET('/api/downloads'))
}

/** An address the browser can fetch by itself, for some minutes: it carries no session. */
export async function newDownloadLink(platform: Platform): Promise<string> {
  const { url } = await dataOf(api.POST('/api/downloads/{platform}/link', { params: { path: { platform } } }))
  return url
}
