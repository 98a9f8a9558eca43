import { api } from '@/api/client'

/** Takes sealed envelopes only. Needs verified access; an epoch that is not the next one is refused. */
export async function putPassphrase(pair: string): Promise<void> {
  await api.PUT('/api/company/passphrase', { body: { passphrase: pair } })
}
