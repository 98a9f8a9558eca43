import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/i18n/languages'
import { pageActions } from './layout/console/page-actions'
import { pages } from './pages'

const source = resolve(__dirname, '..')

function textsOf(language: string, namespace: string): unknown {
  return JSON.parse(readFileSync(`${source}/i18n/locales/${language}/${namespace}.json`, 'utf8'))
}

describe.each(pages)('the page $path', ({ path, module, screen, texts, budget, menu }) => {
  it('has a component, texts and a budget', () => {
    expect(existsSync(`${source}/${module}.tsx`)).toBe(true)
    for (const namespace of texts) expect(textsOf('en', namespace)).toBeTypeOf('object')
    expect(budget).toBeGreaterThan(0)
  })

  it.each(LANGUAGES)('has a title and, if it can be searched for, search words in %s', (language) => {
    expect(textsOf(language, 'common')).toHaveProperty(['screens', screen])
    if (menu) expect(textsOf(language, 'overlays')).toHaveProperty(['screenWords', screen])
  })

  it('is declared once', () => {
    expect(pages.filter((page) => page.path === path)).toHaveLength(1)
  })
})

describe('the pages', () => {
  it('have every title, all search words and the actions of the search', () => {
    const screens = new Set(pages.map(({ screen }) => screen))
    const { screens: titles } = textsOf('en', 'common') as { screens: object }
    const { screenWords } = textsOf('en', 'overlays') as { screenWords: object }
    const named = [
      ...Object.keys(titles),
      ...Object.keys(screenWords),
      ...pageActions.flatMap((action) => action.screens),
    ]
    expect(named.filter((screen) => !screens.has(screen))).toEqual([])
  })

  it('end with the one for all other paths', () => {
    expect(pages.findIndex(({ path }) => path === '*')).toBe(pages.length - 1)
  })
})
