import { readShareLink, type ShareLink } from '@/vault/shares'
import { ShareError } from './errors'

const id = /\/s\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const newer = /^#(?!1[p.])[0-9]+[a-z]*\./

/** Reads the link and takes the key out of the address bar, so that nobody reads it over a shoulder or in the history. */
export function takeLink({ href, hash, pathname }: Location = location, forget = forgetKey): ShareLink {
  if (hash !== '') forget()
  if (!id.test(pathname)) throw new ShareError('cut')
  if (hash.length < 2) throw new ShareError('noKey')
  try {
    return readShareLink(href)
  } catch {
    throw new ShareError(newer.test(hash) ? 'newer' : 'cut')
  }
}

function forgetKey(): void {
  history.replaceState(null, '', location.pathname)
}
