import { beforeEach, describe, expect, it, vi } from 'vitest'
import { toBase64url } from './bytes'
import type * as derive from './derive'
import type { DeriveRequest } from './derive.worker'
import { knownAnswer } from './self-test'
import { QuickWorker } from './testing/quick-worker'
import { vectors } from './testing/vectors'

const { password, salt, auth } = knownAnswer

// What was proved is remembered for the life of a page; every test opens its own.
async function openPage(worker: unknown): Promise<typeof derive> {
  vi.resetModules()
  vi.stubGlobal('Worker', worker)
  return import('./derive')
}

beforeEach(() => {
  QuickWorker.started = 0
  QuickWorker.ended = 0
})

describe('deriveKeys', () => {
  it('proves the derivation once, and ends every worker', async () => {
    const { deriveKeys } = await openPage(QuickWorker)
    expect((await deriveKeys(password, salt)).auth).toBe(auth)
    await deriveKeys('another password', salt)
    expect(QuickWorker.started).toBe(3)
    expect(QuickWorker.ended).toBe(3)
  })

  it('hands the password over instead of copying it', async () => {
    class WatchedWorker extends QuickWorker {
      override postMessage(request: DeriveRequest, handedOver: unknown[] = []): void {
        expect(handedOver).toContain(request.password.buffer)
        super.postMessage(request)
      }
    }
    const { deriveKeys } = await openPage(WatchedWorker)
    expect((await deriveKeys(password, salt)).auth).toBe(auth)
  })

  it('blocks for good when the known answer comes out wrong', async () => {
    class WrongWorker extends QuickWorker {
      override postMessage(request: DeriveRequest): void {
        super.postMessage({ ...request, password: new TextEncoder().encode('something else') })
      }
    }
    const { deriveKeys } = await openPage(WrongWorker)
    await expect(deriveKeys(password, salt)).rejects.toMatchObject({ name: 'SelfTestError' })
    vi.stubGlobal('Worker', QuickWorker)
    await expect(deriveKeys(password, salt)).rejects.toMatchObject({ name: 'SelfTestError' })
  })

  it('says that the derivation is unavailable when the worker fails, and tries again', async () => {
    class BrokenWorker extends QuickWorker {
      override postMessage(): void {
        queueMicrotask(() => this.onerror?.())
      }
    }
    const { deriveKeys } = await openPage(BrokenWorker)
    await expect(deriveKeys(password, salt)).rejects.toMatchObject({ name: 'DerivationUnavailableError' })
    expect(QuickWorker.ended).toBe(1)
    vi.stubGlobal('Worker', QuickWorker)
    expect((await deriveKeys(password, salt)).auth).toBe(auth)
  })

  it('says the same when the worker could not derive', async () => {
    class FailingWorker extends QuickWorker {
      override postMessage(): void {
        queueMicrotask(() => this.onmessage?.({ data: null }))
      }
    }
    const { deriveKeys } = await openPage(FailingWorker)
    await expect(deriveKeys(password, salt)).rejects.toMatchObject({ name: 'DerivationUnavailableError' })
  })

  it.each(vectors.mustFail.salt)('refuses a salt: $reason', async ({ text }) => {
    const { deriveKeys } = await openPage(QuickWorker)
    await expect(deriveKeys(password, text)).rejects.toThrow(RangeError)
  })
})

describe('a salt that is not random', () => {
  it.each([
    ['zeros', [0]],
    ['one byte repeated', [0xa5]],
    ['four bytes repeated', [1, 2, 3, 4]],
    ['eight bytes repeated', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['few distinct bytes', [0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 0]],
  ])('is refused before anything is derived: %s', async (_, pattern) => {
    const { deriveKeys } = await openPage(QuickWorker)
    const weak = Uint8Array.from({ length: 16 }, (__, index) => pattern[index % pattern.length]!)
    await expect(deriveKeys(password, toBase64url(weak))).rejects.toMatchObject({ name: 'WeakSaltError' })
    expect(QuickWorker.started).toBe(0)
  })
})

describe('newSalt', () => {
  it('makes 16 bytes, others each time', async () => {
    const { newSalt } = await openPage(QuickWorker)
    expect(newSalt()).toMatch(/^[\w-]{22}$/)
    expect(newSalt()).not.toBe(newSalt())
  })
})

describe('the known answer', () => {
  it('is the first of the shared vectors', () => {
    const [derivation] = vectors.derivations
    expect(knownAnswer).toMatchObject({
      password: derivation?.password,
      auth: derivation?.authSecret,
      salt: vectors.case.salt,
      userKey: vectors.good.userKey,
      companyKey: vectors.good.companyKeys[0]?.text,
      sealedPassphrase: vectors.good.passphrases[0]?.text,
      passphrase: vectors.good.passphrases[0]?.stored,
    })
  })
})
