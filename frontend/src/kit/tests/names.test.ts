import { describe, expect, it } from 'vitest'
import { browserSafeName, safeName, SafePaths } from '../names'

describe('safeName', () => {
  it('keeps what every system can hold', () => {
    for (const name of ['plan.txt', 'çığ.pdf', 'تقرير.txt', '.profile', 'a b', '💾']) expect(safeName(name)).toBe(name)
  })

  it('gives a substitute to what means something else somewhere', () => {
    const names = [
      '..',
      '.',
      'a/b',
      String.raw`a\b`,
      'C:',
      'a:stream',
      'con',
      'NUL.txt',
      'com¹',
      'end.',
      'end ',
      'a\u0000b',
      'LONGNA~1.TXT',
      '\ud800',
    ]
    for (const name of names) {
      const safe = safeName(name)
      expect(safe).not.toBe(name)
      expect(safe).not.toMatch(/[\p{Cc}\p{Cs}/\\:*?"<>|]|[. ]$|^(con|nul)(\.|$)/iu)
      expect(safeName(safe)).toBe(safe)
    }
    expect(new Set(names.map(safeName)).size).toBe(names.length)
  })

  it('shortens by bytes and keeps the suffix', () => {
    const safe = safeName(`${'ş'.repeat(200)}.pdf`)
    expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(255)
    expect(safe).toMatch(/-[0-9a-f]{8}\.pdf$/)
  })
})

describe('SafePaths', () => {
  it('gives names that are equal after case folding and normalization a place each', () => {
    const paths = new SafePaths()
    const found = ['a/Plan.txt', 'a/PLAN.txt', 'a/é', 'a/e\u0301', 'a/straße', 'a/STRASSE', 'A/x'].map((path) =>
      paths.find(path),
    )
    const folded = found.map((path) => path.normalize('NFC').toUpperCase().toLowerCase())
    expect(new Set(folded).size).toBe(found.length)
    expect(found[1]).toBe('a/PLAN (2).txt')
    expect(found[6]).toBe('A (2)/x')
    expect(paths.find('a/PLAN.txt')).toBe('a/PLAN (2).txt')
    expect(paths.renamed).toContainEqual({ path: 'a/PLAN.txt', name: 'PLAN (2).txt' })
  })

  it('is quick where thousands of names fold to one', () => {
    const paths = new SafePaths()
    const found = new Set<string>()
    for (let number = 0; number < 2 ** 11; number += 1) {
      const name = [...'abcdefghijk'].map((letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join('')
      found.add(paths.find(name).toLowerCase())
    }
    expect(found.size).toBe(2 ** 11)
  })
})

describe('browserSafeName', () => {
  it('gives a substitute to endings with which browsers write no file', () => {
    const refused = ['plan.lnk', 'PLAN.LNK', 'a.scf', 'b.local', 'site.url', 'x.{20D04FE0-3AEA-1069-A2D8-08002B30309D}']
    for (const name of refused) expect(browserSafeName(name)).not.toMatch(/\.(lnk|scf|local|url|\{.*\})$/i)
    expect(new Set(refused.map(browserSafeName)).size).toBe(refused.length)
    for (const name of ['plan.txt', 'lnk', 'a.lnk.txt']) expect(browserSafeName(name)).toBe(name)
  })

  it('still gives each path a place of its own', () => {
    const paths = new SafePaths(browserSafeName)
    const taken = browserSafeName('plan.lnk')
    const found = [taken, 'plan.lnk', 'PLAN.lnk'].map((path) => paths.find(path))
    expect(new Set(found.map((name) => name.toLowerCase())).size).toBe(3)
    for (const name of found) expect(name).not.toMatch(/\.lnk$/i)
  })
})
