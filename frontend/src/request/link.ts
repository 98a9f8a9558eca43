import { readRequestLink, type RequestLink } from '@/vault/requests'
import { RequestError } from './errors'

const id = /\/r\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const newer = /^#(?!1\.)[0-9]+[a-z]*\./

/** The link stays in the address bar: it opens nothing, and whoever comes back to the page can send more. */
export function takeLink({ href, hash, pathname }: Location = location): RequestLink {
  if (!id.test(pathname)) throw new RequestError('cut')
  if (hash.length < 2) throw new RequestError('noKey')
  try {
    return readRequestLink(href)
  } catch {
    throw new RequestError(newer.test(hash) ? 'newer' : 'cut')
  }
}
