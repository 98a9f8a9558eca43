import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import decodeQR from 'qr/decode.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import TwoFactorDialog from '../TwoFactorDialog'
import VerificationDialog from '../VerificationDialog'

const close = vi.fn()
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const uri = `otpauth://totp/Tessera:leader@northwind.test?secret=${secret}&issuer=Tessera&algorithm=SHA1&digits=6&period=30`
const codes = Array.from({ length: 10 }, (_, index) => `k7qm-2xvd-9h3c-0tz${index}`)
const bySms = {
  method: 'sms',
  phoneNumber: '+1•••••••01',
  since: null,
  recoveryCodesLeft: 0,
  smsEnabled: true,
  smsNeeded: true,
}
const byApp = { ...bySms, method: 'totp', since: '2026-03-09T12:00:00Z', recoveryCodesLeft: 2, smsNeeded: false }
const byPasskey = { ...bySms, smsNeeded: false }

function open(first: typeof bySms | typeof byApp) {
  let factor: object = first
  const server = serve({
    'GET /api/auth/second-factor': () => ok(factor),
    'GET /api/auth/passkeys': () => ok([]),
    'POST /api/auth/authenticator': () => ok({ secret, uri }),
    'POST /api/auth/authenticator/confirm': () => {
      factor = { ...byApp, recoveryCodesLeft: 10 }
      return ok({ recoveryCodes: codes })
    },
    'DELETE /api/auth/authenticator': () => {
      factor = bySms
      return ok()
    },
    'PUT /api/auth/second-factor/sms': ({ body }) => {
      factor = { ...first, smsEnabled: (body as { enabled: boolean }).enabled }
      return ok()
    },
    'POST /api/auth/recovery-codes': () => ok({ recoveryCodes: codes }),
  })
  renderWithProviders(
    <>
      <TwoFactorDialog onClose={close} />
      <VerificationDialog />
    </>,
    { withToasts: true },
  )
  return { server, person: userEvent.setup() }
}

/** What a camera would see of the picture, eight dots for each of its squares. */
function photograph(picture: Element) {
  const side = Number(picture.getAttribute('viewBox')?.split(' ')[2])
  const scale = 8
  const width = side * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, left, top] of picture
    .querySelector('path')!
    .getAttribute('d')!
    .matchAll(/M(\d+) (\d+)/g)) {
    for (let dot = 0; dot < scale * scale; dot++) {
      const x = Number(left) * scale + (dot % scale)
      const y = Number(top) * scale + Math.floor(dot / scale)
      data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { width, height: width, data }
}

function textOf(file: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.readAsText(file)
  })
}

beforeEach(() => {
  close.mockReset()
  sessionStore.signIn('t', aLeader())
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('two-factor login', () => {
  it('sets an authenticator app up with a QR code and its first code', async () => {
    const { server, person } = open(bySms)
    expect(await screen.findByRole('region', { name: 'SMS' })).toHaveTextContent('In use')
    await person.click(screen.getByRole('button', { name: 'Set up' }))
    const picture = await screen.findByRole('img', { name: 'QR code for your authenticator app' })
    expect(decodeQR(photograph(picture))).toBe(uri)
    expect(screen.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toHaveAttribute('dir', 'ltr')
    expect(screen.getByRole('link', { name: 'Open in an app on this device' })).toHaveAttribute('href', uri)
    await person.type(screen.getByRole('textbox', { name: 'Code shown by the app' }), '123456')
    expect(await screen.findByText('k7qm-2xvd-9h3c-0tz9', { selector: 'code' })).toBeVisible()
    expect(server.to('POST /api/auth/authenticator/confirm')[0]?.body).toEqual({ otp: '123456' })
  })

  it('shows why the first code was refused and takes another', async () => {
    const { server, person } = open(bySms)
    const right = server.handlers['POST /api/auth/authenticator/confirm']!
    server.handlers['POST /api/auth/authenticator/confirm'] = () =>
      fail(400, 'code_wrong', 'The code is incorrect. Attempts left: 4.')
    await person.click(await screen.findByRole('button', { name: 'Set up' }))
    const field = screen.getByRole('textbox', { name: 'Code shown by the app' })
    await person.type(field, '000000')
    expect(await screen.findByRole('alert')).toHaveTextContent('Attempts left: 4.')
    await waitFor(() => expect(field).toHaveFocus())
    server.handlers['POST /api/auth/authenticator/confirm'] = right
    await person.type(field, '123456')
    expect(await screen.findByText('k7qm-2xvd-9h3c-0tz0', { selector: 'code' })).toBeVisible()
  })

  it('asks for verification before the set-up', async () => {
    const { server, person } = open(bySms)
    server.handlers['POST /api/auth/authenticator'] = () => fail(403, 'verification_required', 'Please verify.')
    server.handlers['POST /api/auth/generate-otp'] = () => ok({ otpRequired: true, method: 'totp' })
    await person.click(await screen.findByRole('button', { name: 'Set up' }))
    const asked = await screen.findByRole('dialog', { name: 'Verification Required' })
    await person.click(await within(asked).findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Verification Required' })).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('switches to SMS after a confirmation', async () => {
    const { server, person } = open(byApp)
    expect(await screen.findByText('2 recovery codes left.')).toHaveAttribute('data-few', 'true')
    await person.click(screen.getByRole('button', { name: 'Switch to SMS' }))
    const asked = screen.getByRole('alertdialog', { name: 'Switch to SMS?' })
    await person.click(within(asked).getByRole('button', { name: 'Switch to SMS' }))
    expect(await screen.findByText('Switched to SMS')).toBeVisible()
    expect(server.to('DELETE /api/auth/authenticator')).toHaveLength(1)
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeVisible()
  })
})

describe('the recovery codes', () => {
  async function shown() {
    const opened = open(byApp)
    await opened.person.click(await screen.findByRole('button', { name: 'Get new recovery codes' }))
    await screen.findByText('k7qm-2xvd-9h3c-0tz0', { selector: 'code' })
    return opened
  }

  it('keeps the recovery codes open until they are saved', async () => {
    const { person } = await shown()
    const done = () => screen.getByRole('button', { name: 'Done' })
    expect(done()).toBeDisabled()
    await person.keyboard('{Escape}')
    expect(close).not.toHaveBeenCalled()
    await person.click(screen.getByRole('checkbox', { name: 'I have saved these codes in a safe place' }))
    await person.click(done())
    await waitFor(() => expect(screen.queryByText('k7qm-2xvd-9h3c-0tz0', { selector: 'code' })).toBeNull())
    expect(document.body.innerHTML).not.toContain('k7qm')
    expect(screen.getByRole('heading', { name: 'Two-step login' })).toHaveFocus()
  })

  it('copies, saves and prints the recovery codes', async () => {
    const { person } = await shown()
    await person.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe(codes.join('\n'))
    const files: Blob[] = []
    Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${files.push(file)}` })
    await person.click(screen.getByRole('button', { name: 'Save as a file' }))
    expect(await textOf(files[0]!)).toContain(codes.join('\r\n'))
    const print = vi.fn()
    vi.stubGlobal('print', print)
    await person.click(screen.getByRole('button', { name: 'Print' }))
    expect(print).toHaveBeenCalledOnce()
  })
})

describe('codes by SMS', () => {
  const sms = () => screen.findByRole('region', { name: 'SMS' })

  it('does not offer to turn SMS off when it is the only method', async () => {
    open(bySms)
    expect(within(await sms()).queryByRole('button')).toBeNull()
  })

  it.each([
    ['a passkey', byPasskey, /the Tessera client needs an authenticator app/],
    ['an app', byApp, /Keep your recovery codes/],
  ])('are turned off beside %s, and on again', async (_, factor, warning) => {
    const { server, person } = open(factor)
    await person.click(within(await sms()).getByRole('button', { name: 'Turn off SMS' }))
    const question = await screen.findByRole('alertdialog', { name: 'Turn off SMS?' })
    expect(question).toHaveTextContent(warning)
    expect(server.to('PUT /api/auth/second-factor/sms')).toHaveLength(0)
    await person.click(within(question).getByRole('button', { name: 'Turn off SMS' }))
    expect(await screen.findByText('SMS turned off')).toBeVisible()
    await waitFor(async () => expect(await sms()).toHaveTextContent('No codes are sent to +1•••••••01.'))
    expect(await sms()).not.toHaveTextContent('In use')
    expect(within(await sms()).queryByRole('button', { name: 'Switch to SMS' })).toBeNull()
    await person.click(within(await sms()).getByRole('button', { name: 'Turn on SMS' }))
    expect(await screen.findByText('SMS turned on')).toBeVisible()
    expect(server.to('PUT /api/auth/second-factor/sms').map(({ body }) => body)).toEqual([
      { enabled: false },
      { enabled: true },
    ])
  })

  it('keeps SMS on when the dialog is cancelled or the server refuses', async () => {
    const { server, person } = open(byPasskey)
    await person.click(within(await sms()).getByRole('button', { name: 'Turn off SMS' }))
    await person.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(server.to('PUT /api/auth/second-factor/sms')).toHaveLength(0)
    server.handlers['PUT /api/auth/second-factor/sms'] = () => fail(409, 'sms_needed', 'Add a passkey first.')
    await person.click(within(await sms()).getByRole('button', { name: 'Turn off SMS' }))
    const question = await screen.findByRole('alertdialog', { name: 'Turn off SMS?' })
    await person.click(within(question).getByRole('button', { name: 'Turn off SMS' }))
    expect(await screen.findByText('Add a passkey first.')).toBeVisible()
  })
})
