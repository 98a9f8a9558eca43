import { api, dataOf } from '@/api/client'
import { ApiError } from '@/api/errors'

export type StoredPassphrase =
  | { held: true; pair: string }
  /** There is none for this person: none at all yet (epoch 0), or one sealed for somebody else's key. */
  | { held: false; epoch: number }

/** The sealed pair. Needs verified access, and is written into the activity. */
export async function getPassphrase(): Promise<StoredPassphrase> {
  try {
    const pair = await dataOf(api.GET('/api/company/passphrase', { parseAs: 'text' }))
    return { held: true, pair }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'passphrase_locked') throw error
    const { epoch } = error.details
    return { held: false, epoch: typeof epoch === 'number' ? epoch : 0 }
  }
}
