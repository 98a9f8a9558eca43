import { areEqual, concat, fromBase64url, toUtf8, type Bytes } from '@/crypto/bytes'
import { signatureBytes, type PublicKeys } from '@/crypto/member-keys'
import { Reader } from './binary'
import { malformed, notAuthentic } from './errors'
import { decodePublicKeys, uuids, verifySignature } from './keys'
import { openPadded } from './padded'
import { derive, sha256 } from './primitives'

const form = /^https?:\/\/[^\s/?#@\\]+\/r\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})#1\.([\w-]{43})\.([\w-]{22})$/
const version = 1
const maxTitleBytes = 255
const maxDetailsBytes = 2 + maxTitleBytes + 4 + 8 + signatureBytes
const maxFiles = 4000
const maxBytes = 10 ** 12

/** What the link of a request says. Only the part before `#` is ever sent to a server. */
export type RequestLink = { request: string; keysHash: Bytes; token: Bytes }

/** What the guest is asked for. */
export type RequestDetails = { title: string; maxFiles: number; maxBytes: number }

export function readRequestLink(link: string): RequestLink {
  const [, request, hashText, tokenText] = form.exec(link) ?? []
  const [keysHash, token] = [fromBase64url(hashText ?? ''), fromBase64url(tokenText ?? '')]
  if (!request || keysHash?.length !== 32 || token?.length !== 16) throw malformed('This is no link of a request.')
  return { request, keysHash, token }
}

/** The server delivers the keys, and the link says which they are. */
export function readRequestKeys(data: Bytes, { request, keysHash }: RequestLink, company: string): PublicKeys {
  const keys = decodePublicKeys(data)
  const bound = sha256(toUtf8('tessera/v1/request-keys'), uuids(company, request), data)
  if (!areEqual(bound, keysHash)) throw notAuthentic('These are other keys than the link’s.')
  return keys
}

/** What the server is shown; the token itself is never sent. */
export function requestAccessToken({ token }: RequestLink): Bytes {
  return derive(token, 'tessera/v1/access')
}

/** The signature keeps others who know the link from changing what is asked for. */
export async function openDetails(
  sealed: Bytes,
  { request, token }: RequestLink,
  company: string,
  keys: PublicKeys,
): Promise<RequestDetails> {
  const associated = concat(Uint8Array.of(version), uuids(company, request))
  const data = await openPadded(derive(token, 'tessera/v1/details'), sealed, associated, maxDetailsBytes)
  const content = data.subarray(0, Math.max(0, data.length - signatureBytes))
  const signed = concat(toUtf8('tessera/v1/request-details'), associated, content)
  verifySignature(keys, data.subarray(content.length), signed)
  const reader = new Reader(content)
  const details = { title: reader.text(maxTitleBytes), maxFiles: reader.u32(), maxBytes: Number(reader.u64()) }
  reader.end()
  const isBounded = (value: number, limit: number) => value >= 1 && value <= limit
  if (!isBounded(details.maxFiles, maxFiles) || !isBounded(details.maxBytes, maxBytes)) {
    throw malformed('A request asks for 1 to 4000 files and up to a terabyte.')
  }
  return details
}
