import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Bytes } from '../bytes'

type Bad = { reason: string; text: string }
type BadEnvelope = Bad & { sees: 'shape' | 'open' }

type Vectors = {
  case: {
    uid: string
    cid: string
    epoch: number
    salt: string
    wrapKeyHex: string
    userKeyHex: string
    companyKeyHex: string
    nextCompanyKeyHex: string
    credentialId: string
    prfOutputHex: string
  }
  derivations: {
    name: string
    password: string
    normalised: string
    saltHex: string
    masterKeyHex: string
    authSecret: string
    wrapKeyHex: string
  }[]
  good: {
    userKey: string
    passkeyKey: string
    formerKey: string
    companyKeys: { epoch: number; text: string }[]
    passphrases: { name: string; typed: string; stored: string; text: string }[]
  }
  mustFail: {
    userKey: BadEnvelope[]
    passkeyKey: BadEnvelope[]
    companyKey: BadEnvelope[]
    formerKey: BadEnvelope[]
    passphrase: BadEnvelope[]
    pair: BadEnvelope[]
    salt: Bad[]
    sealPassphrase: Bad[]
  }
}

type BadBytes = { reason: string; error: 'malformed' | 'not_authentic'; data: string }

type StorageVectors = {
  company: string
  people: {
    user: string
    privateKeys: string
    publicKeys: string
    fingerprint: string
    words: string
    signature: { message: string; signature: string }
    sealed: { info: string; plaintext: string; data: string }
  }[]
  signatures: { about: string; valid: boolean; publicKeys: string; message: string; signature: string }[]
  keyEnvelope: {
    user: string
    userKey: string
    revision: number
    envelope: string
    plaintext: string
    privateKeys: string
    leader: { user: string; fingerprint: string }
  }
  keyHandovers: {
    sender: string
    recipient: string
    epoch: number
    companyKey: string
    data: string
  }[]
  mustFail: {
    publicKeys: BadBytes[]
    signingKeys: BadBytes[]
    keyHandovers: BadBytes[]
    keyEnvelopes: (Omit<BadBytes, 'data'> & { envelope: string })[]
    keyBundles: BadBytes[]
    words: string[]
  }
}

/** The vectors that the server's tests run too. */
export const vectors = read('crypto-v1.json') as Vectors
export const storageVectors = read('storage-v1.json') as StorageVectors

function read(name: string): unknown {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../../docs/vectors', name), 'utf8'))
}

export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export function fromHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

export function toHex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
