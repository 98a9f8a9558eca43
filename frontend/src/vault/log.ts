import { areEqual, type Bytes } from '@/crypto/bytes'
import type { PublicKeys } from '@/crypto/member-keys'
import { toHex } from './binary'
import type { Clear } from './clear'
import type { Entry } from './entries'
import { refused } from './errors'
import { checkKeyring, grantsHash, maxGeneration, sortGrants, type Grant, type Keyring } from './keyring'
import { isSignedBy, recoveryId } from './keys'
import { hashBytes } from './primitives'
import type { PackRecord } from './shards'

/** A pack that the log knows. */
export type LogPack = { record: PackRecord; generation: number; sequence: number; author: string; isRetired: boolean }

const formatVersion = 1
const allowedWhileAwaited = new Set(['member_removed', 'leader_changed', 'recovery_changed', 'generation'])
const byAnyMember = new Set(['change', 'unretire'])
const [maxAhead, maxBehind] = [600_000n, 86_400_000n]

/** What the entries of a log say so far, and the rules that the next one has to obey. */
export class LogState {
  sequence = 0
  head: Bytes = new Uint8Array(hashBytes)
  time = 0n
  leader = ''
  recovery: PublicKeys | null = null
  generation = 0
  members = new Map<string, PublicKeys>()
  commitments: Bytes[] = []
  packs = new Map<string, LogPack>()
  setAside = new Set<number>()
  /** A generation has to come before anything else. */
  isGenerationAwaited = false
  /** Signing keys in hexadecimal, of everybody who has or had one here. */
  #usedKeys = new Set<string>()

  constructor(
    readonly company: string,
    readonly space: string,
  ) {}

  copy(): LogState {
    const copy = new LogState(this.company, this.space)
    Object.assign(copy, this)
    copy.members = new Map(this.members)
    copy.commitments = [...this.commitments]
    copy.packs = new Map(this.packs)
    copy.setAside = new Set(this.setAside)
    copy.#usedKeys = new Set(this.#usedKeys)
    return copy
  }

  append(entry: Entry, now?: bigint): void {
    this.check(entry, now)
    this.apply(entry)
  }

  /** Only the service, which has a clock to compare with, gives `now`. */
  check(entry: Entry, now?: bigint): void {
    this.#checkPlace(entry, now)
    const { clear } = entry
    const isGenesis = clear.kind === 'genesis'
    if (isGenesis !== (this.sequence === 0)) throw refused('wrong_kind')
    const signer = this.#signerOf(entry)
    this.#checkGeneration(entry)
    const recovery = 'recovery' in clear ? clear.recovery : null
    const isCountersigned = !recovery || isSignedBy(recovery, entry.countersignature, entry.statement)
    if (!isSignedBy(signer, entry.signature, entry.statement) || !isCountersigned) throw refused('bad_signature')
    this.#checkSubject(clear, entry.sequence)
  }

  /** Grants travel beside the entry that was appended last. */
  checkGrants({ clear }: Entry, grants: readonly Grant[]): void {
    const expected = this.#grantees(clear)
    const hash = 'grantsHash' in clear ? clear.grantsHash : null
    const sorted = sortGrants(grants)
    const areComplete =
      grants.length === expected.length &&
      grants.every((grant) => expected.includes(grant.member) && grant.generation === this.generation)
    if (!areComplete || (hash && !areEqual(grantsHash(sorted), hash))) throw refused('wrong_grants')
  }

  checkKeyring(keyring: Keyring): void {
    checkKeyring(keyring, this.space, this.commitments)
  }

  #grantees(clear: Clear): string[] {
    if (clear.kind === 'generation') return [...this.members.keys(), recoveryId]
    return clear.kind === 'member_added' || clear.kind === 'leader_changed' ? [clear.member] : []
  }

  #checkPlace(entry: Entry, now?: bigint): void {
    if (entry.company !== this.company || entry.space !== this.space) throw refused('wrong_space')
    if (entry.sequence !== this.sequence + 1) throw refused('wrong_sequence')
    if (!areEqual(entry.previous, this.head)) throw refused('wrong_previous')
    if (entry.time < this.time) throw refused('time_backwards')
    if (now === undefined) return
    if (entry.time > now + maxAhead && entry.time !== this.time) throw refused('time_ahead')
    if (entry.time < now - maxBehind) throw refused('time_behind')
  }

  #signerOf({ author, clear }: Entry): PublicKeys {
    if (clear.kind === 'genesis') {
      if (clear.leader === recoveryId) throw refused('wrong_subject')
      if (author !== clear.leader) throw refused('not_a_member')
      return clear.keys
    }
    if (author === recoveryId && clear.kind === 'leader_changed' && this.recovery) return this.recovery
    const keys = this.members.get(author)
    if (!keys) throw refused('not_a_member')
    if (author !== this.leader && !byAnyMember.has(clear.kind)) throw refused('not_the_leader')
    return keys
  }

  #checkGeneration({ clear: { kind }, generation }: Entry): void {
    const isNext = kind === 'generation'
    if (this.sequence === 1 && !isNext) throw refused('generation_awaited')
    if (this.isGenerationAwaited && !allowedWhileAwaited.has(kind)) throw refused('generation_awaited')
    if (generation !== this.generation + (isNext ? 1 : 0)) throw refused('wrong_generation')
    if (generation > maxGeneration) throw refused('wrong_generation')
  }

  #checkSubject(clear: Clear, sequence: number): void {
    switch (clear.kind) {
      case 'genesis':
        if (areEqual(clear.keys.sign, clear.recovery.sign)) throw refused('key_in_use')
        return
      case 'member_added':
        if (this.members.has(clear.member) || clear.member === recoveryId) throw refused('wrong_subject')
        this.#checkNewKeys(clear.keys)
        return
      case 'member_removed':
        if (!this.members.has(clear.member) || clear.member === this.leader) throw refused('wrong_subject')
        return
      case 'leader_changed':
        this.#checkNewLeader(clear.member, clear.keys)
        return
      case 'recovery_changed':
        this.#checkNewKeys(clear.recovery)
        return
      case 'change':
      case 'checkpoint':
        if (clear.packs.some(({ pack }) => this.packs.has(pack))) throw refused('known_pack')
        return
      case 'retire':
      case 'unretire':
        this.#checkRetired(clear.packs, clear.kind === 'unretire')
        return
      case 'set_aside':
        if (clear.sequences.some((named) => named < 2 || named >= sequence)) throw refused('wrong_subject')
        return
      case 'format':
        throw refused(clear.version > formatVersion ? 'newer_format' : 'wrong_subject')
      case 'rewound':
        if (clear.sequence <= this.sequence) throw refused('wrong_subject')
        return
    }
  }

  #checkNewLeader(member: string, keys: PublicKeys): void {
    if (member === recoveryId) throw refused('wrong_subject')
    const present = this.members.get(member)
    if (!present || !areEqual(present.encoded, keys.encoded)) this.#checkNewKeys(keys)
    else if (member === this.leader) throw refused('wrong_subject')
  }

  /** Whoever held a signing key counts as holding it for ever. */
  #checkNewKeys({ sign }: PublicKeys): void {
    if (!this.#usedKeys.has(toHex(sign))) return
    const present = [...this.members.values(), ...(this.recovery ? [this.recovery] : [])]
    throw refused(present.some((keys) => areEqual(keys.sign, sign)) ? 'key_in_use' : 'key_removed')
  }

  #checkRetired(packs: string[], mustBeRetired: boolean): void {
    for (const pack of packs) {
      const known = this.packs.get(pack)
      if (!known) throw refused('unknown_pack')
      if (known.isRetired !== mustBeRetired) throw refused(mustBeRetired ? 'pack_not_retired' : 'retired_pack')
    }
  }

  /** Takes in an entry that was checked. */
  apply(entry: Entry): void {
    const { clear, generation, sequence, author } = entry
    this.sequence = sequence
    this.head = entry.hash
    this.time = entry.time
    switch (clear.kind) {
      case 'genesis':
        this.leader = clear.leader
        this.#take(clear.leader, clear.keys)
        this.#takeRecovery(clear.recovery)
        break
      case 'member_added':
        this.#take(clear.member, clear.keys)
        break
      case 'member_removed':
        this.members.delete(clear.member)
        this.isGenerationAwaited = true
        break
      case 'leader_changed': {
        const before = this.members.get(clear.member)
        if (before && !areEqual(before.encoded, clear.keys.encoded)) this.isGenerationAwaited = true
        this.leader = clear.member
        this.#take(clear.member, clear.keys)
        break
      }
      case 'generation':
        this.generation = generation
        this.commitments.push(clear.commitment)
        this.isGenerationAwaited = false
        break
      case 'change':
      case 'checkpoint':
        for (const record of clear.packs) {
          this.packs.set(record.pack, { record, generation, sequence, author, isRetired: false })
        }
        break
      case 'retire':
      case 'unretire':
        for (const pack of clear.packs) {
          const known = this.packs.get(pack)
          if (known) this.packs.set(pack, { ...known, isRetired: clear.kind === 'retire' })
        }
        break
      case 'recovery_changed':
        this.#takeRecovery(clear.recovery)
        this.isGenerationAwaited = true
        break
      case 'set_aside':
        for (const named of clear.sequences) this.setAside.add(named)
        break
      case 'rewound':
        this.isGenerationAwaited = true
        break
      case 'format':
      case 'settings':
    }
  }

  #take(member: string, keys: PublicKeys): void {
    this.members.set(member, keys)
    this.#usedKeys.add(toHex(keys.sign))
  }

  #takeRecovery(keys: PublicKeys): void {
    this.recovery = keys
    this.#usedKeys.add(toHex(keys.sign))
  }
}
