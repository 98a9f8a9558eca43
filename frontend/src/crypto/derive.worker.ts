import type { Bytes } from './bytes'
import { deriveHere, type DerivedKeys } from './derive-here'

export type DeriveRequest = { password: Bytes; salt: Bytes }
export type DeriveAnswer = DerivedKeys | null

// A separate worker keeps the page responsive. Ending it frees the 64 MiB that the password was
// derived in.
self.onmessage = async ({ data }: MessageEvent<DeriveRequest>): Promise<void> => {
  // The reason of a failure stays here: it could quote what it failed on.
  const answer: DeriveAnswer = await deriveHere(data.password, data.salt).catch(() => null)
  self.postMessage(answer)
}
