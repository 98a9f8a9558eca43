/** Why a rule of the log refuses an entry, a keyring or grants; the names are in docs/storage-format.md. */
export type Refusal =
  | 'wrong_space'
  | 'wrong_sequence'
  | 'wrong_previous'
  | 'wrong_kind'
  | 'time_backwards'
  | 'time_ahead'
  | 'time_behind'
  | 'not_a_member'
  | 'not_the_leader'
  | 'bad_signature'
  | 'wrong_generation'
  | 'generation_awaited'
  | 'wrong_subject'
  | 'key_in_use'
  | 'key_removed'
  | 'known_pack'
  | 'unknown_pack'
  | 'retired_pack'
  | 'pack_not_retired'
  | 'newer_format'
  | 'wrong_commitment'
  | 'wrong_grants'

/** Bytes that the reader refuses. */
export class FormatError extends Error {
  constructor(
    readonly code: 'malformed' | 'not_authentic' | Refusal,
    message: string,
  ) {
    super(message)
    this.name = 'FormatError'
  }
}

export function malformed(message: string): FormatError {
  return new FormatError('malformed', message)
}

export function notAuthentic(message: string): FormatError {
  return new FormatError('not_authentic', message)
}

export function refused(reason: Refusal): FormatError {
  return new FormatError(reason, `The rules of the log refuse this: ${reason}.`)
}
