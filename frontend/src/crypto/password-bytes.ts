import { type Bytes, toUtf8 } from './bytes'

/** NFKC: the same password typed on another keyboard or system gives the same bytes. */
export function passwordBytes(password: string): Bytes {
  if (password === '') throw new RangeError('The password is empty.')
  return toUtf8(password.normalize('NFKC'))
}
