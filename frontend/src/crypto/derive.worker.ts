import type { Bytes } from './bytes'
import { deriveHere, type DerivedKeys } from './derive-here'

export type DeriveRequest = { password: Bytes; salt: Bytes }
export type DeriveAnswer = DerivedKeys | null

// A worker of its own keeps the page alive meanwhile, and takes the 64 MiB that saw the password
// with it when it is ended.
self.onmessage = async ({ data }: MessageEvent<DeriveRequest>): Promise<void> => {
  // The reason of a failure stays here: it could quote what it failed on.
  const answer: DeriveAnswer = await deriveHere(data.password, data.salt).catch(() => null)
  self.postMessage(answer)
}
