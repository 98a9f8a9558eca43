/** Why a request does not open or files cannot be sent; each has its words in `request.json`. */
export type Reason =
  | 'noKey'
  | 'cut'
  | 'newer'
  | 'unknown'
  | 'expired'
  | 'ended'
  | 'wrongLink'
  | 'tooMany'
  | 'swapped'
  | 'full'
  | 'busy'
  | 'offline'
  | 'service'
  | 'clouds'
  | 'unexpected'

export class RequestError extends Error {
  constructor(readonly reason: Reason) {
    super(reason)
    this.name = 'RequestError'
  }
}

export function reasonOf(error: unknown): Reason {
  return error instanceof RequestError ? error.reason : 'unexpected'
}
