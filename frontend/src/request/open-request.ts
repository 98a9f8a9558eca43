import { toBase64url } from '@/crypto/bytes'
import type { PublicKeys } from '@/crypto/member-keys'
import {
  openDetails,
  readRequestKeys,
  requestAccessToken,
  type RequestDetails,
  type RequestLink,
} from '@/vault/requests'
import { RequestError } from './errors'
import type { Coding } from './sealing'
import { RequestService } from './service'

/** A request whose keys and title are those of the link. */
export type OpenRequest = {
  service: RequestService
  company: string
  request: string
  keys: PublicKeys
  details: RequestDetails
  expiresAt: bigint
  bytesLeft: number
  coding: Coding
}

export async function openRequest(link: RequestLink): Promise<OpenRequest> {
  const service = new RequestService(link.request, toBase64url(requestAccessToken(link)))
  const { company, publicKeys } = await service.find()
  const swapped = () => new RequestError('swapped')
  let keys: PublicKeys
  try {
    keys = readRequestKeys(publicKeys, link, company)
  } catch {
    throw swapped()
  }
  const { details: sealed, ...opened } = await service.open()
  const details = await openDetails(sealed, link, company, keys).catch(() => {
    throw swapped()
  })
  return { service, company, request: link.request, keys, details, ...opened }
}
