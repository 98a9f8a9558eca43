import { api, dataOf } from '@/api/client'
import type { Platform } from './get-release'

/** An address the browser can fetch by itself, for some minutes: it carries no session. */
export async function newDownloadLink(platform: Platform): Promise<string> {
  const { url } = await dataOf(api.POST('/api/downloads/{platform}/link', { params: { path: { platform } } }))
  return url
}
