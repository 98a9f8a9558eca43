import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromBase64url, toBase64url } from '@/crypto/bytes'
import { openRawCompanyKey } from '@/crypto/envelopes'
import { openKeyHandover, readKeyHandover } from '@/crypto/key-handover'
import { keyring } from '@/crypto/keyring'
import { makePrivateKeys, publicKeysOf, readPublicKeys } from '@/crypto/member-keys'
import { wordsFor } from '@/crypto/words'
import { changeLanguage } from '@/i18n/i18n'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import KeyHolderDialog from '../KeyHolderDialog'
import {
  ids,
  open as openPassphraseDialog,
  password,
  press,
  user,
  withPassphrase,
  type Handlers,
} from './open-passphrase'

const stored = withPassphrase()
const omar = {
  uuid: '11111111-1111-4111-8111-111111111111',
  firstName: 'Omar',
  lastName: 'Haddad',
  email_address: 'omar@northwind.test',
}
const holder = { ...omar, since: '2026-11-06T12:00:00Z', isCurrent: true }
const omarsKeys = makePrivateKeys()
let words: string

beforeEach(async () => {
  words = await wordsFor(publicKeysOf(omarsKeys), { uid: omar.uuid, cid: ids.cid })
})

afterEach(() => act(() => changeLanguage('en')))

function open(named: object | null, more: Handlers = {}) {
  let current = named
  const server = serve({
    'GET /api/company/key-holder': () => ok(current),
    'PUT /api/company/key-holder': () => {
      current = holder
      return ok(holder)
    },
    'DELETE /api/company/key-holder': () => {
      current = null
      return ok()
    },
    'GET /api/users': () => ok({ item1: [omar], item2: 1, totalCapped: false }),
    [`GET /api/user/${omar.uuid}/public-keys`]: () => ok({ publicKeys: toBase64url(publicKeysOf(omarsKeys).encoded) }),
    'GET /api/company/passphrase': () => new Response(stored.pair),
    'GET /api/storage/keys': () => fail(404, 'storage_keys_missing'),
    'PUT /api/storage/keys': ({ body }) => ok({ ...(body as object), revision: 1 }),
    'GET /api/auth/login-token': () => ok({ user, salt: stored.keys.salt, sealedUserKey: stored.keys.userKey }),
    ...more,
  })
  renderWithProviders(<KeyHolderDialog onClose={vi.fn()} />, { withToasts: true })
  return server
}

async function choose(typed: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'Name a key holder' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Choose Omar Haddad' }))
  const field = await screen.findByLabelText('Six words of Omar Haddad')
  expect(screen.getByRole('button', { name: 'Name a key holder' })).toBeDisabled()
  await fillIn(userEvent, field, typed)
}

describe('the second key holder', () => {
  it('seals the company key to the keys that the typed words stand for', async () => {
    const { raw } = await openRawCompanyKey(stored.pair.split('~')[0]!, keyring.userKey(), ids)
    const server = open(null)
    expect(await screen.findByText(/Only you hold a key to the passphrase/)).toBeVisible()
    await choose(words)
    await press('Name a key holder')
    expect(await screen.findByText('Omar Haddad is now the second key holder')).toBeVisible()
    expect(await screen.findByText('Key holder since November 6, 2026')).toBeVisible()
    const body = server.to('PUT /api/company/key-holder')[0]!.body as { uuid: string; keyHandover: string }
    expect(body.uuid).toBe(omar.uuid)
    const handover = readKeyHandover(fromBase64url(body.keyHandover)!)
    expect(handover).toMatchObject({ sender: user.uuid, recipient: omar.uuid, epoch: 4 })
    const { publicKeys } = server.to('PUT /api/storage/keys')[0]!.body as { publicKeys: string }
    const sender = readPublicKeys(fromBase64url(publicKeys)!)
    expect(await openKeyHandover(handover, ids.cid, omarsKeys, sender)).toEqual(raw)
    expect(JSON.stringify(server.calls)).not.toContain(toBase64url(raw))
  })

  it('asks for the password after a reload, and says when it is wrong', async () => {
    keyring.lock()
    const server = open(null)
    await choose(words)
    await fillIn(userEvent, screen.getByLabelText('Your password'), 'wrong')
    await press('Name a key holder')
    expect(await screen.findByText('This password does not unlock your keys.')).toBeVisible()
    await userEvent.clear(screen.getByLabelText('Your password'))
    await fillIn(userEvent, screen.getByLabelText('Your password'), password)
    await press('Name a key holder')
    expect(await screen.findByText('Omar Haddad is now the second key holder')).toBeVisible()
    expect(JSON.stringify(server.calls)).not.toContain(password)
  })

  it.each([
    ['zoo zoo zoo zoo zoo zoo', /These words do not match the keys of Omar Haddad/],
    ['just three words', /Enter six words of the list/],
  ])('is not named after the words %s', async (typed, message) => {
    const server = open(null)
    await choose(typed)
    await press('Name a key holder')
    expect(await screen.findByText(message)).toBeVisible()
    expect(server.to('GET /api/company/passphrase')).toHaveLength(0)
    expect(server.to('PUT /api/company/key-holder')).toHaveLength(0)
  })

  it.each([
    ['key_holder_exists', 'Another member is the second key holder.'],
    ['key_handover_stale', 'The passphrase has been changed in the meantime.'],
    ['key_holder_not_active', 'This member is disabled.'],
    ['internal', 'Something went wrong.'],
  ])('says what the server refuses: %s', async (code, message) => {
    open(null, { 'PUT /api/company/key-holder': () => fail(code === 'internal' ? 500 : 409, code, message) })
    await choose(words)
    await press('Name a key holder')
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
  })

  it('says when the leader cannot open the passphrase', async () => {
    open(null, { 'GET /api/company/passphrase': () => fail(404, 'passphrase_locked', '', { epoch: 4 }) })
    await choose(words)
    await press('Name a key holder')
    expect(await screen.findByRole('alert')).toHaveTextContent('Your keys cannot open the passphrase')
  })

  it('does not name a member without keys', async () => {
    const keysOf = `GET /api/user/${omar.uuid}/public-keys`
    const server = open(null, { [keysOf]: () => ok({ publicKeys: null }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Name a key holder' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Choose Omar Haddad' }))
    expect(await screen.findByText(/Omar Haddad has no keys yet/)).toBeVisible()
    server.handlers[keysOf] = () => ok({ publicKeys: toBase64url(publicKeysOf(omarsKeys).encoded) })
    await press('Check again')
    expect(await screen.findByLabelText('Six words of Omar Haddad')).toBeVisible()
  })

  it('says when there is no other member', async () => {
    open(null, { 'GET /api/users': () => ok({ item1: [], item2: 0, totalCapped: false }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Name a key holder' }))
    expect(await screen.findByText('Your company has no other active member. Invite one first.')).toBeVisible()
  })

  it('removes the key holder after a confirmation', async () => {
    const server = open(holder)
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Omar Haddad as key holder' }))
    const confirm = await screen.findByRole('alertdialog')
    expect(server.to('DELETE /api/company/key-holder')).toHaveLength(0)
    await userEvent.click(within(confirm).getByRole('button', { name: 'Remove key holder' }))
    expect(await screen.findByText('Key holder removed')).toBeVisible()
    expect(await screen.findByText(/Only you hold a key/)).toBeVisible()
  })

  it('renews the holder’s key after the passphrase was changed', async () => {
    const server = open({ ...holder, isCurrent: false })
    expect(await screen.findByText(/holds the key of the former passphrase/)).toBeVisible()
    await press('Renew the key')
    await fillIn(userEvent, await screen.findByLabelText('Six words of Omar Haddad'), words)
    await press('Renew the key')
    expect(await screen.findByText('The key of Omar Haddad is renewed')).toBeVisible()
    await waitFor(() => expect(screen.queryByText(/former passphrase/)).toBeNull())
    expect(server.to('PUT /api/company/key-holder')).toHaveLength(1)
  })

  it('loads the key holder again after an error', async () => {
    const server = open(null, { 'GET /api/company/key-holder': () => fail(500, 'internal', 'Broken.') })
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    server.handlers['GET /api/company/key-holder'] = () => ok(null)
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('button', { name: 'Name a key holder' })).toBeVisible()
  })

  it.each([
    ['en', 'Second key holder', 'Omar Haddad holds the key of the former passphrase, and cannot open the current one.'],
    ['tr', 'İkinci anahtar sahibi', 'Omar Haddad önceki parola cümlesinin anahtarına sahip ve geçerli olanı açamıyor.'],
    ['ar', 'حامل المفتاح الثاني', 'لدى Omar Haddad مفتاح عبارة المرور السابقة، ولا يستطيع فتح الحالية.'],
  ] as const)('is shown as outdated in %s', async (language, title, sentence) => {
    await act(() => changeLanguage(language))
    // The right-to-left styles of dialogs are fetched.
    await act(async () => {
      open({ ...holder, isCurrent: false })
    })
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(await screen.findByRole('note')).toHaveTextContent(sentence)
  })
})

describe('the passphrase dialog', () => {
  it.each([
    [null, /None\. If you lose access/, 'Name a key holder'],
    [holder, 'Omar Haddad can open the passphrase too.', 'Manage the second key holder'],
    [
      { ...holder, isCurrent: false },
      'Omar Haddad holds the key of the former passphrase.',
      'Manage the second key holder',
    ],
  ])('says who else holds the key', async (named, line, button) => {
    openPassphraseDialog(stored, { 'GET /api/company/key-holder': () => ok(named) })
    expect(await screen.findByText(line)).toBeVisible()
    await press(button)
    expect(screen.getByRole('heading', { name: 'Second key holder' })).toBeVisible()
    await press('Back')
    expect(screen.getByRole('heading', { name: 'Passphrase' })).toBeVisible()
  })

  it('names the key holder to a leader without a copy', async () => {
    openPassphraseDialog(stored, {
      'GET /api/company/passphrase': () =>
        fail(404, 'passphrase_locked', '', { epoch: 4, handedOver: false, keyHolder: 'Omar Haddad' }),
    })
    await press('Reveal')
    expect(await screen.findByText(/Or ask Omar Haddad, the second key holder/)).toBeVisible()
  })
})
