import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

describe('cryptoSelfTest', () => {
  beforeEach(() => vi.resetModules())
  afterEach(() => vi.restoreAllMocks())

  it('passes, and works only once', async () => {
    const decrypt = vi.spyOn(crypto.subtle, 'decrypt')
    const { cryptoSelfTest } = await import('./self-test')
    await cryptoSelfTest()
    const calls = decrypt.mock.calls.length
    await cryptoSelfTest()
    expect(calls).toBeGreaterThan(0)
    expect(decrypt).toHaveBeenCalledTimes(calls)
  })

  it('fails when decryption gives something else', async () => {
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async () => new ArrayBuffer(32))
    const { cryptoSelfTest } = await import('./self-test')
    await expect(cryptoSelfTest()).rejects.toMatchObject({ name: 'SelfTestError' })
  })

  it('fails when tampering goes unnoticed', async () => {
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle)
    const opened: ArrayBuffer[] = []
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (algorithm, key, data) => {
      try {
        const plaintext = await decrypt(algorithm, key, data)
        opened.push(plaintext.slice(0))
        return plaintext
      } catch {
        return opened.at(-3)?.slice(0) ?? new ArrayBuffer(0)
      }
    })
    const { cryptoSelfTest } = await import('./self-test')
    await expect(cryptoSelfTest()).rejects.toThrow('tampering')
  })
})
