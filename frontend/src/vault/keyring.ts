import { areEqual, toUtf8, u32, type Bytes } from '@/crypto/bytes'
import { encapsulatedBytes, suite, type PrivateKeys } from '@/crypto/member-keys'
import { uuidBytes } from '@/crypto/headers'
import { Reader } from './binary'
import { malformed, refused } from './errors'
import { openFor, uuids } from './keys'
import { derive, sha256, sha256OfAll, tagBytes } from './primitives'

export const maxGeneration = 4096
const seedBytes = 32

/** The seeds of generations 1 to g, from which all keys of a space are derived. */
export class Keyring {
  constructor(readonly seeds: readonly Bytes[]) {
    if (seeds.length < 1 || seeds.length > maxGeneration) throw malformed('A keyring has 1 to 4096 seeds.')
  }

  get generation(): number {
    return this.seeds.length
  }

  packKey(generation: number, pack: Bytes): Bytes {
    return derive(this.#seed(generation), 'tessera/v1/pack', pack)
  }

  entryKey(generation: number, entry: Bytes): Bytes {
    return derive(this.#seed(generation), 'tessera/v1/entry', entry)
  }

  /** Of everything about a request for files, which ends with its generation. */
  requestKey(generation: number, request: string): Bytes {
    return derive(this.#seed(generation), 'tessera/v1/request', uuidBytes(request))
  }

  chunkIdKey(): Bytes {
    return derive(this.#seed(1), 'tessera/v1/chunk-id')
  }

  commitment(space: string, generation: number): Bytes {
    return derive(this.#seed(generation), 'tessera/v1/commitment', uuidBytes(space), u32(generation))
  }

  #seed(generation: number): Bytes {
    const seed = this.seeds[generation - 1]
    if (!seed) throw refused('wrong_generation')
    return seed
  }
}

/** The keyring of one generation, sealed to one member or to recovery. */
export type Grant = { member: string; generation: number; sealed: Bytes; encoded: Bytes }

export function decodeGrant(data: Bytes): Grant {
  const reader = new Reader(data)
  if (reader.u8() !== suite) throw malformed('The suite of a grant is unknown.')
  const member = reader.uuid()
  const generation = reader.u32()
  if (generation < 1 || generation > maxGeneration) throw malformed('The generation of a grant is out of range.')
  const sealed = reader.bytes(encapsulatedBytes + seedBytes * generation + tagBytes)
  reader.end()
  return { member, generation, sealed, encoded: data }
}

/** The seeds prove nothing until they are compared with the log's commitments. */
export async function openGrant(
  grant: Grant,
  keys: PrivateKeys,
  { company, space }: { company: string; space: string },
): Promise<Keyring> {
  const { member, generation, sealed } = grant
  const bound = uuids(company, space, member)
  const seeds = await openFor(keys, sealed.slice(), 'tessera/v1/grant', bound, u32(generation))
  return new Keyring(
    Array.from({ length: generation }, (_, index) => seeds.slice(index * seedBytes, (index + 1) * seedBytes)),
  )
}

/** Refuses two grants to one member. */
export function sortGrants(grants: readonly Grant[]): Grant[] {
  const sorted = grants.toSorted((left, right) => (left.member < right.member ? -1 : 1))
  if (sorted.some(({ member }, index) => member === sorted[index + 1]?.member)) {
    throw malformed('Two grants are for one member.')
  }
  return sorted
}

/** Only for as many as an entry has: a copy may hold any number. */
export function grantsHash(sorted: readonly Grant[]): Bytes {
  return sha256OfAll([toUtf8('tessera/v1/grants'), ...sorted.map(({ encoded }) => sha256(encoded))])
}

/** Each seed has the commitment that the log gives for its generation. */
export function checkKeyring(keyring: Keyring, space: string, commitments: readonly Bytes[]): void {
  if (keyring.generation > commitments.length) throw refused('wrong_generation')
  for (let generation = 1; generation <= keyring.generation; generation += 1) {
    const commitment = commitments[generation - 1]
    if (!commitment || !areEqual(keyring.commitment(space, generation), commitment)) throw refused('wrong_commitment')
  }
}
