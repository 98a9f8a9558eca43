import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Contact = components['schemas']['ContactRead']

/** Whom to ask: the own company's team leader. */
export function getContact(): Promise<Contact> {
  return dataOf(api.GET('/api/downloads/contact'))
}
