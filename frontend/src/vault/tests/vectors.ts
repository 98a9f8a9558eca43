import type { Bytes } from '@/crypto/bytes'
import { fromHex } from '../binary'

type Bad = { reason: string; error: string; data: string; parts?: [string, number][] }
type Person = {
  user: string
  privateKeys: string
  publicKeys: string
  fingerprint: string
  words: string
  signature: { message: string; signature: string }
  sealed: { info: string; plaintext: string; data: string }
}
type Pack = {
  space: string
  generation: number
  pack: string
  key: string
  chunkIdKey: string
  chunks: string[]
  data: string
  record: string
  shards: string[]
}
export type LargePack = Omit<Pack, 'chunks' | 'data' | 'record' | 'shards'> & {
  size: number
  sha256: string
  shards: Record<string, string[]>
}
export type SegmentVector = { data: string; grants: string[] }
export type HistoryCase = {
  about: string
  pair: string
  copies: number[][]
  printed: [number, string] | null
  found: { last: number; hash: string; readable: number; generation: number; isPrinted: boolean }[]
  leftOver: string[]
  liars: number[]
}
export type ShareVector = {
  about: string
  link: string
  password: string | null
  salt: string
  share: string
  key: string
  accessToken: string
  chunkIdKey: string
  packKeys: string[]
  manifest: string
  expires: number
  records: string[]
  shards: string[][]
  items: { path: string; content: string | null }[]
}
export type RequestVector = {
  about: string
  link: string
  request: string
  generation: number
  key: string
  publicKeys: string
  accessToken: string
  details: string
  title: string
  maxFiles: number
  maxBytes: number
  folder: string
  path: string
  wholeSpace: string
  upload: string
  uploadKey: string
  contentKey: string
  manifest: string
  shards: string[][]
  items: { path: string; content: string | null }[]
}
export type ReplayVector = {
  about: string
  slow?: boolean
  changes: string[]
  setAside: number[]
  name: string
  versions: Record<string, [number, number, number, number][]> | null
  current: number
}
export type RescueItem = {
  path: string
  modified?: number
  content?: string
  executable?: boolean
  private?: boolean
  link?: string
}

/** docs/vectors/storage-v1.json, as far as these checks look at it. */
export type StorageVectors = {
  company: string
  space: string
  recoveryPublicKeys: string[]
  people: Person[]
  keyEnvelope: { user: string; userKey: string; envelope: string; plaintextWithoutPins: string }
  derivations: {
    seeds: string[]
    id: string
    packKeys: string[]
    entryKeys: string[]
    chunkIdKey: string
    commitments: string[]
    argon2id: { secret: string; salt: string; output: string }
  }
  padme: [number, number][]
  parities: { data: string[]; parities: string[] }[]
  signatures: { about: string; valid: boolean; publicKeys: string; message: string; signature: string }[]
  grants: { member: string; privateKeys: string; generation: number; data: string }[]
  keyHandovers: { companyKey: string; data: string }[]
  packs: Pack[]
  fullPack: LargePack
  tooLargePack: LargePack
  shardSets: {
    about: string
    space: string
    generation: number
    record: string
    shards: string[]
    pack: string | null
  }[]
  log: (SegmentVector & { kind: string; hash: string; body: string | null })[]
  acceptedEntries: { about: string; after: number; entries: string[] }[]
  changes: { about: string; data?: string; parts?: [string, number][]; records: string[] }[]
  checkpoints: { about: string; data: string }[]
  replays: ReplayVector[]
  recovery: {
    passphrase: string
    code: string
    codeText: string
    codes: { code: string; text: string }[]
    counter: number
    record: number
    data: string
    privateKeys: string
  }
  recoveryRecords: { counter: number; leader: string; leaderPublicKeys: string; hash: string; data: string }[]
  recoveryHandovers: { pair: string; data: string }[]
  rescue: {
    passphrase: string
    codeText: string
    everywhere: Record<string, string>
    warehouses: Record<string, string>[]
    spaceName: string
    setAside: number[]
    missing: number[]
    items: RescueItem[]
    versions: {
      path: string
      versions: { sequence: number; operation: number; removed: boolean; conflict: boolean }[]
    }[]
  }
  shares: ShareVector[]
  requests: RequestVector[]
  histories: { pool: ({ log: number } | SegmentVector)[]; cases: HistoryCase[] }
  mustFail: {
    entryGrants: (Bad & { after: number; entry: string; grants: string[] })[]
    keyrings: (Bad & { after: number; seeds: string[] })[]
    log: (Bad & { after: number; afterGenerations?: number; before?: string; now?: number })[]
    recoveryRecords: (Bad & { records: (number | string)[] })[]
    changes: (Bad & { records?: string[] })[]
    keyEnvelopes: (Bad & { envelope: string })[]
    shareLinks: string[]
    requestLinks: string[]
    uploads: (Bad & { manifest?: string })[]
    manifests: (Bad & { hash?: string })[]
    codes: string[]
    words: string[]
    objectNames: string[]
  } & Record<
    | 'publicKeys'
    | 'requestKeys'
    | 'requestDetails'
    | 'requestFolders'
    | 'signingKeys'
    | 'sealed'
    | 'grants'
    | 'keyHandovers'
    | 'packs'
    | 'shards'
    | 'entries'
    | 'bodies'
    | 'storedBodies'
    | 'segments'
    | 'recovery'
    | 'recoveryHandovers'
    | 'checkpoints'
    | 'keyBundles'
    | 'sharePacks',
    Bad[]
  >
}
export type BadVector = Bad

export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** The bytes of a vector, which may be given as pieces with their number. */
export function contentOf({ data, parts }: { data?: string; parts?: [string, number][] }): Bytes {
  if (!parts) return fromBase64(data ?? '')
  const pieces = parts.map(([piece, times]) => ({ piece: fromBase64(piece), times }))
  const content = new Uint8Array(pieces.reduce((sum, { piece, times }) => sum + piece.length * times, 0))
  let at = 0
  for (const { piece, times } of pieces) {
    if (piece.length > 0) for (let index = 0; index < times; index += 1) content.set(piece, at + index * piece.length)
    at += piece.length * times
  }
  return content
}

export function seedsOf(seeds: readonly string[]): Bytes[] {
  return seeds.map(fromHex)
}
