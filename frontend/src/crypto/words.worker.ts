import type { Bytes } from './bytes'
import { deriveMasterKey } from './derive-here'

export type WordsRequest = { secret: Bytes; salt: Bytes }
export type WordsAnswer = Bytes | null

self.onmessage = async ({ data }: MessageEvent<WordsRequest>): Promise<void> => {
  const answer: WordsAnswer = await deriveMasterKey(data.secret, data.salt).catch(() => null)
  self.postMessage(answer)
}
