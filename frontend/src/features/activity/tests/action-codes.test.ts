import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { i18n } from '@/i18n/i18n'
import { ACTION_CODES, describeAction, readable } from '../action-codes'

const t = i18n.getFixedT('en', 'activity')

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return entry.name.endsWith('.py') ? [readFileSync(path, 'utf8')] : []
  })
}

/** What the server writes down, as far as its calls name it in so many words. */
function recorded(): string[] {
  const call = /\b_?record(?:_for)?\(([^]{0,260})/g
  const code = /"([a-z][A-Za-z]*\.[a-z][A-Za-z]*)"/g
  return sources(resolve(__dirname, '../../../../../backend/tessera'))
    .flatMap((source) =>
      [...source.matchAll(call)].flatMap(([, after = '']) => [...(after.split(/\n\n/)[0] ?? '').matchAll(code)]),
    )
    .map(([, found = '']) => found)
}

describe('what happened', () => {
  it.each(ACTION_CODES)('has words for %s', (code) => {
    expect(describeAction(t, { action: code, details: {} })).not.toBe(readable(code))
  })

  it('has words for everything the server writes down', () => {
    const known = new Set<string>(ACTION_CODES)
    expect(recorded().length).toBeGreaterThan(10)
    expect([...new Set(recorded())].filter((code) => !known.has(code))).toEqual([])
  })

  it('counts', () => {
    expect(describeAction(t, { action: 'members.invited', details: { count: 12 } })).toBe('12 members invited')
    expect(describeAction(t, { action: 'members.invited', details: { count: 1 } })).toBe('Member invited')
  })

  it('shows a newer code readably', () => {
    expect(describeAction(t, { action: 'warehouse.keyRotated', details: {} })).toBe('warehouse key rotated')
  })
})
