import { concat, toUtf8, type Bytes } from '@/crypto/bytes'
import { deriveMasterKey } from '@/crypto/derive-here'
import { uuidBytes } from '@/crypto/headers'
import { importKey } from '@/crypto/jwe'
import { decodeKeyBundle, openKeyBundle } from '@/crypto/key-bundle'
import { openKeyHandover, readKeyHandover } from '@/crypto/key-handover'
import {
  encodePrivateKeys,
  fingerprintOf,
  openSealed,
  publicKeysOf,
  sign,
  type PrivateKeys,
} from '@/crypto/member-keys'
import { normaliseWords, wordsOf } from '@/crypto/words'
import { fromHex, toHex } from '../binary'
import { FormatError, malformed } from '../errors'
import { decodeGrant, Keyring, openGrant } from '../keyring'
import { decodePrivateKeys, decodePublicKeys, verifySignature } from '../keys'
import { padme } from '../primitives'
import { parseObjectName } from '../objects'
import { decodeRecovery, openRecoveryHalf, readRecoveryCode, writeRecoveryCode } from '../recovery'
import {
  checkRecoveryRecords,
  decodeRecoveryHandover,
  decodeRecoveryRecord,
  openRecoveryHandover,
  verifyRecordLeader,
} from '../recovery-records'
import { same, type MustFail } from './expect'
import type { Check } from './vector-checks'
import { contentOf, fromBase64, seedsOf, type BadVector, type StorageVectors } from './vectors'

export function keysFrom(hex: string): PrivateKeys {
  return decodePrivateKeys(fromHex(hex))
}

const stretched = new Map<string, Bytes>()

/** Argon2id takes its time: once for each salt is enough, the passphrase is always the same. */
async function stretchOnce(secret: Bytes, salt: Bytes): Promise<Bytes> {
  const known = stretched.get(toHex(salt)) ?? (await deriveMasterKey(secret, salt))
  stretched.set(toHex(salt), known)
  return known
}

export function keyChecks(vectors: StorageVectors): Check[] {
  const check = <T>(group: string, each: readonly T[], run: (vector: T) => unknown): Check[] =>
    each.map((vector, index) => ({ group, name: String(index), run: () => run(vector) }))
  const { company, space, derivations, recovery, keyEnvelope } = vectors
  const keyring = new Keyring(seedsOf(derivations.seeds))
  return [
    ...check('people', vectors.people, async (person) => {
      const keys = keysFrom(person.privateKeys)
      const publicKeys = decodePublicKeys(fromBase64(person.publicKeys))
      same(publicKeysOf(keys).encoded, publicKeys.encoded, 'public keys')
      same(fingerprintOf(publicKeys), fromHex(person.fingerprint), 'fingerprint')
      const message = toUtf8(person.signature.message)
      same(sign(keys, message), fromHex(person.signature.signature), 'signature')
      const { info, plaintext, data } = person.sealed
      same(await openSealed(keys, fromBase64(data), toUtf8(info)), toUtf8(plaintext), 'sealed')
    }),
    ...check('words', vectors.people.slice(0, 1), async (person) => {
      const secret = concat(toUtf8('tessera/v1/words'), fromBase64(person.publicKeys))
      const digest = await deriveMasterKey(secret, concat(uuidBytes(company), uuidBytes(person.user)))
      same(wordsOf(digest), person.words, 'words')
    }),
    ...check('keyEnvelope', [keyEnvelope], async ({ envelope, user, userKey, plaintextWithoutPins }) => {
      const bundle = await openKeyBundle(envelope, { uid: user, cid: company }, await importKey(fromHex(userKey)))
      same(
        encodePrivateKeys(decodeKeyBundle(fromBase64(plaintextWithoutPins)).keys),
        encodePrivateKeys(bundle.keys),
        '',
      )
    }),
    ...check('derivations', [derivations], async ({ id, packKeys, entryKeys, commitments, chunkIdKey, argon2id }) => {
      for (const [index, packKey] of packKeys.entries()) {
        same(keyring.packKey(index + 1, fromHex(id)), fromHex(packKey), 'pack key')
        same(keyring.entryKey(index + 1, fromHex(id)), fromHex(entryKeys[index]!), 'entry key')
        same(keyring.commitment(space, index + 1), fromHex(commitments[index]!), 'commitment')
      }
      same(keyring.chunkIdKey(), fromHex(chunkIdKey), 'chunk-id key')
      const output = await deriveMasterKey(toUtf8(argon2id.secret), fromHex(argon2id.salt))
      same(output, fromHex(argon2id.output), 'Argon2id')
    }),
    ...check('padme', vectors.padme, ([size, padded]) => same(padme(size), padded, 'padded size')),
    ...vectors.signatures.map((vector) => ({
      group: 'signatures',
      name: vector.about,
      run: () => {
        const keys = decodePublicKeys(fromBase64(vector.publicKeys))
        same(isSignature(keys, vector.signature, vector.message), vector.valid, 'verdict')
      },
    })),
    ...check('grants', vectors.grants, async ({ data, privateKeys, member, generation }) => {
      const grant = decodeGrant(fromBase64(data))
      same([grant.member, grant.generation], [member, generation], 'grant')
      same((await openGrant(grant, keysFrom(privateKeys), vectors)).seeds, keyring.seeds, 'seeds')
    }),
    ...check('keyHandovers', vectors.keyHandovers, async ({ data, companyKey }) => {
      same(await openHandover(vectors, fromBase64(data)), fromHex(companyKey), 'company key')
    }),
    ...check('recovery', [recovery], async ({ data, codeText, code, counter, record, privateKeys }) => {
      const sealed = decodeRecovery(fromBase64(data))
      same(readRecoveryCode(codeText), fromHex(code), 'code')
      same([sealed.kit, sealed.record], [counter, record], 'counters')
      const keys = await openRecoveryHalf(sealed, recovery.passphrase, fromHex(code), stretchOnce)
      same(encodePrivateKeys(keys), fromHex(privateKeys), 'private half')
      for (const each of recovery.codes) same(writeRecoveryCode(fromHex(each.code)), each.text, 'code as text')
    }),
    ...check('recoveryRecords', vectors.recoveryRecords, (vector) => {
      const record = decodeRecoveryRecord(fromBase64(vector.data))
      same(
        [record.counter, record.leader, record.hash],
        [vector.counter, vector.leader, fromHex(vector.hash)],
        'record',
      )
      verifyRecordLeader(record, decodePublicKeys(fromBase64(vector.leaderPublicKeys)))
      const chain = vectors.recoveryRecords.slice(0, record.counter)
      checkRecoveryRecords(
        chain.map(({ data }) => decodeRecoveryRecord(fromBase64(data))),
        company,
      )
    }),
    ...check('recoveryHandovers', vectors.recoveryHandovers, async ({ data, pair }) => {
      same(encodePrivateKeys(await openPair(vectors, fromBase64(data))), fromHex(pair), 'pair')
    }),
  ]
}

function isSignature(keys: Parameters<typeof verifySignature>[0], signature: string, message: string): boolean {
  try {
    verifySignature(keys, fromHex(signature), toUtf8(message))
    return true
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

function person(vectors: StorageVectors, index: number): PrivateKeys {
  return keysFrom(vectors.people[index]!.privateKeys)
}

function openHandover(vectors: StorageVectors, data: Bytes): Promise<Bytes> {
  const sender = publicKeysOf(person(vectors, 0))
  return openKeyHandover(readKeyHandover(data), vectors.company, person(vectors, 1), sender)
}

function openPair(vectors: StorageVectors, data: Bytes): Promise<PrivateKeys> {
  const sender = publicKeysOf(person(vectors, 0))
  return openRecoveryHandover(decodeRecoveryHandover(data), vectors.company, person(vectors, 1), sender)
}

export function badChecks<T extends BadVector>(
  group: string,
  vectors: readonly T[],
  read: (data: Bytes, vector: T) => unknown,
): MustFail[] {
  return vectors.map((vector) => ({
    group,
    name: vector.reason,
    error: vector.error,
    isSlow: 'afterGenerations' in vector,
    read: () => read(contentOf(vector), vector),
  }))
}

export function mustFailKeys(vectors: StorageVectors): MustFail[] {
  const { mustFail, company, recovery, keyEnvelope } = vectors
  const texts = (group: string, each: readonly string[], read: (text: string) => unknown): MustFail[] =>
    each.map((text) => ({ group, name: text, error: 'malformed', read: () => read(text) }))
  const member = vectors.people[1]!
  const granted = vectors.grants.find((grant) => grant.member === member.user)!
  return [
    ...badChecks('publicKeys', mustFail.publicKeys, decodePublicKeys),
    ...badChecks('signingKeys', mustFail.signingKeys, decodePublicKeys),
    ...badChecks('sealed', mustFail.sealed, (data) => openSealed(person(vectors, 1), data, toUtf8('an info'))),
    ...badChecks('grants', mustFail.grants, (data) =>
      openGrant(decodeGrant(data), keysFrom(granted.privateKeys), vectors),
    ),
    ...badChecks('keyHandovers', mustFail.keyHandovers, async (data) => openHandover(vectors, data)),
    ...badChecks('keyBundles', mustFail.keyBundles, decodeKeyBundle),
    ...badChecks('keyEnvelopes', mustFail.keyEnvelopes, async (_, { envelope }) =>
      openKeyBundle(envelope, { uid: keyEnvelope.user, cid: company }, await importKey(fromHex(keyEnvelope.userKey))),
    ),
    ...badChecks('recovery', mustFail.recovery, async (data) =>
      openRecoveryHalf(decodeRecovery(data), recovery.passphrase, fromHex(recovery.code), stretchOnce),
    ),
    ...badChecks('recoveryRecords', mustFail.recoveryRecords, (_, { records }) => {
      const chain = records.map((each) =>
        decodeRecoveryRecord(fromBase64(typeof each === 'number' ? vectors.recoveryRecords[each]!.data : each)),
      )
      checkRecoveryRecords(chain, company)
      verifyRecordLeader(chain.at(-1)!, publicKeysOf(person(vectors, 1)))
    }),
    ...badChecks('recoveryHandovers', mustFail.recoveryHandovers, async (data) => openPair(vectors, data)),
    ...texts('codes', mustFail.codes, readRecoveryCode),
    ...texts('words', mustFail.words, normaliseWords),
    ...texts('objectNames', mustFail.objectNames, (name) => {
      if (!parseObjectName(name)) throw malformed('unknown name')
    }),
  ]
}
