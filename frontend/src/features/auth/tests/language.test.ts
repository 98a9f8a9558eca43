import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { changeLanguage, i18n } from '@/i18n/i18n'
import { ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import { agreeOnLanguage, followLanguage } from '../language'

let server: ReturnType<typeof serve>

beforeEach(async () => {
  localStorage.removeItem('tessera.language')
  localStorage.removeItem('tessera.language.settled')
  await i18n.changeLanguage('en')
  server = serve({ 'PUT /api/auth/profile': ({ body }) => ok({ ...aLeader(), ...(body as object) }) })
  sessionStore.signIn('t', aLeader({ language: 'tr' }))
})

afterEach(async () => {
  sessionStore.signOut('expired')
  await i18n.changeLanguage('en')
  localStorage.setItem('tessera.language', 'en')
  vi.unstubAllGlobals()
})

describe('the language after a login', () => {
  it('uses the account’s language when none was chosen in this browser', async () => {
    await agreeOnLanguage(aLeader({ language: 'tr' }))
    expect(i18n.language).toBe('tr')
    expect(server.calls).toHaveLength(0)
  })

  it('uses the chosen language and saves it to the account', async () => {
    await changeLanguage('ar')
    await agreeOnLanguage(aLeader({ language: 'tr' }))
    expect(i18n.language).toBe('ar')
    expect(server.calls[0]?.body).toMatchObject({ language: 'ar' })
  })

  it('uses the next account’s own language', async () => {
    await changeLanguage('ar')
    await agreeOnLanguage(aLeader({ language: 'tr' }))
    await agreeOnLanguage(aLeader({ language: 'en' }))
    expect(i18n.language).toBe('en')
  })
})

describe('a choice while signed in', () => {
  it('saves a language chosen while signed in once', async () => {
    await agreeOnLanguage(aLeader({ language: 'tr' }))
    const stop = followLanguage()
    await changeLanguage('ar')
    await vi.waitFor(() => expect(sessionStore.get()).toMatchObject({ user: { language: 'ar' } }))
    stop()
    await changeLanguage('en')
    expect(server.calls).toHaveLength(1)
  })
})
