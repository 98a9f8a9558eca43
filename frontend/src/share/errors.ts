/** Why a share does not open or a file cannot be read; each has its words in `share.json`. */
export type Reason =
  | 'noKey'
  | 'cut'
  | 'newer'
  | 'unknown'
  | 'expired'
  | 'used'
  | 'ended'
  | 'guessed'
  | 'wrongPassword'
  | 'wrongLink'
  | 'tooMany'
  | 'swapped'
  | 'late'
  | 'busy'
  | 'offline'
  | 'service'
  | 'clouds'
  | 'unexpected'

export class ShareError extends Error {
  constructor(readonly reason: Reason) {
    super(reason)
    this.name = 'ShareError'
  }
}

export function reasonOf(error: unknown): Reason {
  return error instanceof ShareError ? error.reason : 'unexpected'
}
