import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeCompanySecrets, replaceCompanySecrets } from '@/crypto/company-secrets'
import { keyring } from '@/crypto/keyring'
import { rememberEpoch } from '@/crypto/seen-epochs'
import { fillIn } from '@/testing/fill-in'
import { fail, ok } from '@/testing/server'
import { ids, open, password, press, secret, user, withPassphrase, type Handlers } from './open-passphrase'

const stored = withPassphrase()

describe('former passphrases', () => {
  const path = '/api/company/passphrase/former'
  const replaced = { setAt: '2026-01-05T10:00:00Z', replacedAt: '2026-03-01T10:00:00Z', replacedBy: 'Ada Lindqvist' }
  const rows = [
    { ...replaced, epoch: 4, canOpen: true },
    { ...replaced, epoch: 3, replacedBy: null, canOpen: false },
  ]

  async function openWithHistory(more: Handlers = {}) {
    const next = await replaceCompanySecrets('nine tiles of slate', stored.pair, keyring)
    const sealed = {
      companyKey: next.pair.split('~')[0],
      formerKeys: [next.formerKey],
      passphrase: stored.pair.split('~')[1],
    }
    return open(stored, { [`GET ${path}`]: () => ok(rows), [`GET ${path}/4`]: () => ok(sealed), ...more })
  }

  it('lists when and by whom each passphrase was replaced', async () => {
    await openWithHistory()
    const [newest, oldest] = await screen.findAllByRole('listitem')
    expect(newest).toHaveTextContent(/Version 4.*Replaced Mar 1, 2026.* by Ada Lindqvist/)
    expect(oldest).toHaveTextContent(/Version 3.*Replaced Mar 1, 2026.*Cannot be opened/)
    expect(oldest).not.toHaveTextContent('by Ada')
    expect(screen.getByRole('button', { name: 'Reveal version 4' })).toBeEnabled()
    expect(screen.queryByRole('button', { name: 'Reveal version 3' })).toBeNull()
  })

  it('shows the loading, empty and error states', async () => {
    const server = open(stored, { [`GET ${path}`]: () => fail(500, 'internal') })
    expect(screen.getByRole('status', { name: 'Loading former passphrases' })).toBeInTheDocument()
    expect(await screen.findByRole('alert')).toBeVisible()
    server.handlers[`GET ${path}`] = () => ok([])
    await press('Retry')
    expect(await screen.findByText(/When you change the passphrase, the one before stays/)).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('opens a former passphrase in the browser', async () => {
    const server = await openWithHistory()
    await userEvent.click(await screen.findByRole('button', { name: 'Reveal version 4' }))
    expect(await screen.findByText(secret)).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Former passphrase' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
    expect(server.to('GET /api/company/passphrase')).toHaveLength(0)
    await press('Back')
    expect(screen.queryByText(secret)).toBeNull()
    expect(await screen.findByRole('button', { name: 'Reveal version 4' })).toBeVisible()
  })

  it('asks for the password when the keys are locked', async () => {
    await openWithHistory()
    keyring.lock()
    await userEvent.click(await screen.findByRole('button', { name: 'Reveal version 4' }))
    await fillIn(userEvent, await screen.findByLabelText('Password'), password)
    await press('Unlock')
    expect(await screen.findByText(secret)).toBeVisible()
  })

  it('are not shown when they do not open, or come with an older key than this browser has seen', async () => {
    const strange = await makeCompanySecrets('of somebody else', ids, stored.keys.key, 4)
    const server = await openWithHistory()
    const sealed = (await (await server.handlers[`GET ${path}/4`]!({} as never)).json()) as object
    server.handlers[`GET ${path}/4`] = () => ok({ ...sealed, passphrase: strange.split('~')[1] })
    await userEvent.click(await screen.findByRole('button', { name: 'Reveal version 4' }))
    expect(await screen.findByText(/does not unlock your keys/)).toBeVisible()
    rememberEpoch(user.companyUuid, 9)
    await press('Reveal version 4')
    expect(await screen.findByText(/this browser has seen version 9/)).toBeVisible()
  })
})
