import { describe, expect, it, vi } from 'vitest'
import { ShareError } from '../errors'
import { takeLink } from '../link'

const share = '77777777-7777-4777-8777-777777777777'
const secret = '3JIBIouNYd6YH_bVoehIdx2Xl3jcEsA1Ba-kuNuGjFM'
const hash = 'or5IQ9TX5e-YA51tksQ_dA'
const good = `https://share.example/s/${share}#1.${secret}.${hash}`

function take(address: string, forget = vi.fn()) {
  return takeLink(new URL(address) as unknown as Location, forget)
}

function reasonFor(address: string) {
  try {
    take(address)
  } catch (error) {
    return error instanceof ShareError && error.reason
  }
  return 'none'
}

describe('the link of a share', () => {
  it('is read, and its key leaves the address bar', () => {
    const forget = vi.fn()
    expect(take(good, forget)).toMatchObject({ share, hasPassword: false })
    expect(forget).toHaveBeenCalledOnce()
    expect(take(good.replace('#1.', '#1p.')).hasPassword).toBe(true)
  })

  it.each([
    ['the key was lost', good.slice(0, good.indexOf('#')), 'noKey'],
    ['nothing is behind the sign', good.slice(0, good.indexOf('#') + 1), 'noKey'],
    ['the end is missing', good.slice(0, -3), 'cut'],
    ['the hash is missing', good.slice(0, good.lastIndexOf('.')), 'cut'],
    ['the id is cut', `https://share.example/s/${share.slice(0, 20)}`, 'cut'],
    ['something was added', `${good}>`, 'cut'],
    ['it has a query', good.replace('#', '?utm=1#'), 'cut'],
    ['it is of a newer version', good.replace('#1.', '#2.'), 'newer'],
  ])('says so if %s', (_, address, reason) => {
    expect(reasonFor(address)).toBe(reason)
  })

  it('forgets a key that it cannot use, too', () => {
    const forget = vi.fn()
    expect(() => take(good.slice(0, -1), forget)).toThrow()
    expect(forget).toHaveBeenCalledOnce()
  })
})
