import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Release = components['schemas']['ReleaseRead']
export type Installer = components['schemas']['InstallerRead']
export type Platform = components['schemas']['Platform']

export function getRelease(): Promise<Release> {
  return dataOf(api.GET('/api/downloads'))
}
