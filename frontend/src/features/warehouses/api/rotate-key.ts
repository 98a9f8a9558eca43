import { api, dataOf } from '@/api/client'

/** A new data key for the company, under which everything stored is encrypted anew. */
export function rotateKey() {
  return dataOf(api.PUT('/api/company/newkey'))
}
