import { concat, type Bytes } from '@/crypto/bytes'
import { encapsulatedBytes, publicKeysOf, suite, type PrivateKeys } from '@/crypto/member-keys'
import { Reader } from './binary'
import { malformed } from './errors'
import { checkPath, maxPathBytes } from './items'
import type { Keyring } from './keyring'
import { openFor, uuids } from './keys'
import { openPadded } from './padded'
import { derive, tagBytes } from './primitives'
import { ShareKeys, type Manifest } from './shares'

const version = 1
const secretBytes = 32
const uploadKeyBytes = 1 + encapsulatedBytes + secretBytes + 16 + tagBytes

/** What somebody outside has sent. Nothing says who. */
export type ReceivedFiles = { keys: ShareKeys; manifest: Manifest }

/** What every member of the space derives from the seed of the request's generation. */
export class RequestKeys {
  readonly private: PrivateKeys

  private constructor(
    readonly key: Bytes,
    readonly company: string,
    readonly request: string,
  ) {
    this.private = {
      signSeed: derive(key, 'tessera/v1/request-sign'),
      kemSeed: derive(key, 'tessera/v1/request-kem'),
    }
  }

  static derive(keyring: Keyring, generation: number, company: string, request: string): RequestKeys {
    return new RequestKeys(keyring.requestKey(generation, request), company, request)
  }

  publicKeys(): Bytes {
    return publicKeysOf(this.private).encoded
  }

  /** Of the link: whoever has it may send. */
  token(): Bytes {
    return derive(this.key, 'tessera/v1/request-token').slice(0, 16)
  }

  /** Where the files are meant to go; "" is the whole space. */
  async openFolder(sealed: Bytes): Promise<string> {
    const associated = concat(Uint8Array.of(version), uuids(this.company, this.request))
    const key = derive(this.key, 'tessera/v1/request-folder')
    const reader = new Reader(await openPadded(key, sealed, associated, 2 + maxPathBytes))
    const path = reader.text(maxPathBytes, 0)
    if (path !== '') checkPath(path)
    reader.end()
    return path
  }

  /** The sealed key holds the manifest's hash too: the service cannot join the one to another. */
  async openUpload(upload: string, sealedKey: Bytes, manifest: Bytes): Promise<ReceivedFiles> {
    if (sealedKey.length !== uploadKeyBytes || sealedKey[0] !== suite) {
      throw malformed('The key of an upload has another length or an unknown suite.')
    }
    const bound = uuids(this.company, this.request, upload)
    const opened = await openFor(this.private, sealedKey.slice(1), 'tessera/v1/upload-key', bound)
    const keys = ShareKeys.ofUpload(opened.slice(0, secretBytes), this.company, this.request, upload)
    const found = await keys.openManifest(manifest, opened.slice(secretBytes))
    if (found.expires !== 0n) throw malformed('An upload does not expire.')
    return { keys, manifest: found }
  }
}
