import { areEqual, concat, fromBase64url, toUtf8, type Bytes } from '@/crypto/bytes'
import { deriveMasterKey } from '@/crypto/derive-here'
import { compareTexts, Reader, toHex } from './binary'
import { readPacks, type PackContents } from './changes'
import { malformed, notAuthentic } from './errors'
import { readItem, readPath, type FileItem, type FolderItem } from './items'
import { uuids } from './keys'
import { chunkBytes } from './packs'
import { openPadded } from './padded'
import { derive, hashBytes, sha256 } from './primitives'
import { packRecordBytes, readPackRecord, type PackRecord } from './shards'

const form = /^https?:\/\/[^/?#@\s]+\/s\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})#1(p?)\.([\w-]{43})\.([\w-]{22})$/
const version = 1
export const maxManifestBytes = 655_360
const smallestItem = 3 + 1 + 8 + 1

/** What the link of a share says. Only the part before `#` is ever sent to a server. */
export type ShareLink = { share: string; hasPassword: boolean; secret: Bytes; manifestHash: Bytes }

/** What is in a share. Nothing says who made it. `expires` is what the maker asked for, in milliseconds. */
export type Manifest = {
  expires: bigint
  records: PackRecord[]
  packs: PackContents[]
  items: { path: string; item: FileItem | FolderItem }[]
}

export function readShareLink(link: string): ShareLink {
  const [, share, flag, secretText, hashText] = form.exec(link) ?? []
  const [secret, manifestHash] = [fromBase64url(secretText ?? ''), fromBase64url(hashText ?? '')]
  if (!share || secret?.length !== 32 || manifestHash?.length !== 16) throw malformed('This is no link of a share.')
  return { share, hasPassword: flag === 'p', secret, manifestHash }
}

/** The keys of one share; its packs have the share's UUID in place of the space's, and generation 0. */
export class ShareKeys {
  private constructor(
    readonly key: Bytes,
    readonly company: string,
    readonly share: string,
  ) {}

  /** `password` and `salt` are null where the link says that there is none. Takes a good part of a second with one. */
  static async derive(
    { share, secret, hasPassword }: ShareLink,
    company: string,
    password: { text: string; salt: Bytes } | null,
    stretch: (secret: Bytes, salt: Bytes) => Promise<Bytes> = deriveMasterKey,
  ): Promise<ShareKeys> {
    if (hasPassword !== (password !== null)) throw malformed('The link says whether there is a password.')
    const typed = password && toUtf8(password.text.normalize('NFKC'))
    if (typed?.length === 0) throw malformed('The password is empty.')
    const stretched = typed ? await stretch(typed, password.salt.slice()) : new Uint8Array(32)
    const flag = Uint8Array.of(hasPassword ? 1 : 0)
    const key = derive(concat(secret, stretched), 'tessera/v1/share', flag, uuids(company, share))
    return new ShareKeys(key, company, share)
  }

  /** What somebody sends to a request is sealed like a share, under a secret of the upload. */
  static ofUpload(secret: Bytes, company: string, request: string, upload: string): ShareKeys {
    return new ShareKeys(derive(secret, 'tessera/v1/upload', uuids(company, request, upload)), company, upload)
  }

  accessToken(): Bytes {
    return derive(this.key, 'tessera/v1/access')
  }

  packKey(pack: Bytes): Bytes {
    return derive(this.key, 'tessera/v1/pack', pack)
  }

  chunkIdKey(): Bytes {
    return derive(this.key, 'tessera/v1/chunk-id')
  }

  manifestKey(): Bytes {
    return derive(this.key, 'tessera/v1/manifest')
  }

  associated(): Bytes {
    return concat(Uint8Array.of(version), uuids(this.company, this.share))
  }

  /** The link's hash is compared first: neither the server nor another recipient can put another one in its place. */
  async openManifest(sealed: Bytes, manifestHash: Bytes): Promise<Manifest> {
    if (!areEqual(sha256(sealed).subarray(0, manifestHash.length), manifestHash)) {
      throw notAuthentic('The manifest is not the one of the link.')
    }
    const content = await openPadded(this.manifestKey(), sealed, this.associated(), maxManifestBytes)
    return decodeManifest(content)
  }
}

function decodeManifest(content: Bytes): Manifest {
  const reader = new Reader(content)
  const expires = reader.u64()
  const records = reader.list(reader.count(reader.u32(), packRecordBytes), () => readPackRecord(reader))
  const lengths = new Map(records.map(({ pack, length }) => [pack, length]))
  const packs = readPacks(reader, (pack) => lengths.get(pack))
  const areSame = packs.length === records.length && packs.every(({ pack }, index) => pack === records[index]?.pack)
  if (!areSame) throw malformed('The packs of a manifest are not described as they are recorded.')
  const chunks = new Map<string, number>()
  for (const { id, length } of packs.flatMap((pack) => pack.chunks)) {
    if (chunks.has(toHex(id))) throw malformed('A chunk is listed twice.')
    chunks.set(toHex(id), length)
  }
  const count = reader.count(reader.u32(), smallestItem)
  const items = reader.list(count, () => readSharedItem(reader, chunks))
  reader.end()
  checkPaths(items)
  return { expires, records, packs, items }
}

function readSharedItem(reader: Reader, chunks: ReadonlyMap<string, number>): Manifest['items'][0] {
  const [path, item] = [readPath(reader), readItem(reader)]
  if (!item || item.type === 'link') throw malformed('A share holds files and folders only.')
  for (let at = 0; item.type === 'file' && at * hashBytes < item.chunks.length; at += 1) {
    const id = toHex(item.chunks.subarray(at * hashBytes, (at + 1) * hashBytes))
    if (chunks.get(id) !== Math.min(chunkBytes, item.size - at * chunkBytes)) {
      throw malformed('A chunk of a file is not listed, or has another length.')
    }
  }
  return { path, item }
}

function checkPaths(items: Manifest['items']): void {
  if (items.length === 0) throw malformed('A share holds at least one item.')
  const files = new Set(items.flatMap(({ path, item }) => (item.type === 'file' ? [path] : [])))
  for (const [index, { path }] of items.entries()) {
    const before = items[index - 1]
    if (before && compareTexts(before.path, path) >= 0) throw malformed('The items are not sorted.')
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (files.has(path.slice(0, at))) throw malformed('Something lies below a file.')
    }
  }
}
