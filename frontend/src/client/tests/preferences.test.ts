import { afterEach, describe, expect, it, vi } from 'vitest'
import { changeLanguage } from '@/i18n/i18n'
import { preferredLanguage } from '@/i18n/languages'
import { settingsStore } from '@/lib/settings'
import { ok, serve } from '@/testing/server'
import { restorePreferences, savePreferences } from '../preferences'

afterEach(async () => {
  await changeLanguage('en')
  settingsStore.clear()
})

describe('preferences', () => {
  it('are those of the last run', async () => {
    serve({ 'GET /api/settings': () => ok({ language: 'tr', theme: 'dark' }) })
    await restorePreferences()
    expect(preferredLanguage()).toBe('tr')
    expect(settingsStore.get().theme).toBe('dark')
  })

  it('stay as they are when the program does not answer', async () => {
    serve({})
    await restorePreferences()
    expect(preferredLanguage()).toBe('en')
    expect(settingsStore.get().theme).toBe('system')
  })

  it('are sent to the program when they are chosen', async () => {
    const { to } = serve({ 'POST /api/settings': () => ok({}) })
    savePreferences()
    await changeLanguage('ar')
    settingsStore.update({ theme: 'dark' })
    settingsStore.update({ folded: true })
    await vi.waitFor(() =>
      expect(to('POST /api/settings').map((call) => call.body)).toEqual([{ language: 'ar' }, { theme: 'dark' }]),
    )
  })
})
