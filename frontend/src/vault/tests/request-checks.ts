import { concat, toUtf8 } from '@/crypto/bytes'
import { toHex } from '../binary'
import { Keyring } from '../keyring'
import { uuids } from '../keys'
import { sha256 } from '../primitives'
import { RequestKeys } from '../received'
import { openDetails, readRequestKeys, readRequestLink, requestAccessToken } from '../requests'
import { same, type MustFail } from './expect'
import { badChecks } from './key-checks'
import { checkContents } from './share-checks'
import type { Check } from './vector-checks'
import { fromBase64, seedsOf, type RequestVector, type StorageVectors } from './vectors'

function keysOf({ company, derivations }: StorageVectors, { request, generation }: RequestVector): RequestKeys {
  return RequestKeys.derive(new Keyring(seedsOf(derivations.seeds)), generation, company, request)
}

export function requestChecks(vectors: StorageVectors): Check[] {
  const { company } = vectors
  return vectors.requests.map((vector) => ({
    group: 'requests',
    name: vector.about,
    run: async () => {
      const link = readRequestLink(vector.link)
      const keys = keysOf(vectors, vector)
      same(link.request, vector.request, 'request')
      same(toHex(keys.key), vector.key, 'key')
      same(keys.token(), link.token, 'token of the link')
      same(toHex(requestAccessToken(link)), vector.accessToken, 'access token')
      same(keys.publicKeys(), fromBase64(vector.publicKeys), 'public keys')
      const bound = concat(toUtf8('tessera/v1/request-keys'), uuids(company, vector.request), keys.publicKeys())
      same(sha256(bound), link.keysHash, 'hash of the link')
      const publicKeys = readRequestKeys(fromBase64(vector.publicKeys), link, company)
      const { title, maxFiles, maxBytes } = await openDetails(fromBase64(vector.details), link, company, publicKeys)
      same([title, maxFiles, maxBytes], [vector.title, vector.maxFiles, vector.maxBytes], 'details')
      same(await keys.openFolder(fromBase64(vector.folder)), vector.path, 'folder')
      same(await keys.openFolder(fromBase64(vector.wholeSpace)), '', 'whole space')
      const received = await keys.openUpload(vector.upload, fromBase64(vector.uploadKey), fromBase64(vector.manifest))
      same(toHex(received.keys.key), vector.contentKey, 'key of the contents')
      await checkContents(received.keys, received.manifest, vector)
    },
  }))
}

export function mustFailRequests(vectors: StorageVectors): MustFail[] {
  const { company, mustFail, requests } = vectors
  const [first] = requests as [RequestVector]
  const link = readRequestLink(first.link)
  const publicKeys = () => readRequestKeys(fromBase64(first.publicKeys), link, company)
  return [
    ...mustFail.requestLinks.map((each) => ({
      group: 'requestLinks',
      name: each,
      error: 'malformed',
      read: () => readRequestLink(each),
    })),
    ...badChecks('requestKeys', mustFail.requestKeys, (data) => readRequestKeys(data, link, company)),
    ...badChecks('requestDetails', mustFail.requestDetails, (data) => openDetails(data, link, company, publicKeys())),
    ...badChecks('requestFolders', mustFail.requestFolders, (data) => keysOf(vectors, first).openFolder(data)),
    ...badChecks('uploads', mustFail.uploads, (data, { manifest }) =>
      keysOf(vectors, first).openUpload(first.upload, data, fromBase64(manifest ?? first.manifest)),
    ),
  ]
}
