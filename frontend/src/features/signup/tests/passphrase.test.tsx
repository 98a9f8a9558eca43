import { fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { button, fill, goodPassphrase, openSignup, press, secrets, title } from './open-signup'

const empty = { ...secrets, passphrase: { passphrase: '', again: '', understood: false } }
const understood = () => screen.getByRole('checkbox')
const kit = () => screen.queryByRole('button', { name: 'Save as a file' })

async function open() {
  openSignup('passphrase', {}, {}, empty)
  await title('Select a Pass Phrase')
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the passphrase step', () => {
  // Specification: 5.21, 9.11
  it('requires 8 characters without counting blanks at the ends', async () => {
    await open()
    fill('Passphrase', '  short7  ')
    fireEvent.click(understood())
    expect(screen.getAllByText('Passphrase must be at least 8 characters in length.')[0]).toBeVisible()
    expect(button('Next')).toBeDisabled()
  })

  // Specification: 2.90, 4.29, 5.22
  it('requires the passphrase twice and the checkbox', async () => {
    await open()
    fill('Passphrase', goodPassphrase)
    expect(button('Next')).toBeDisabled()
    fill('Confirm passphrase', 'three clouds, two mosaics')
    expect(screen.getAllByText('The passphrases do not match.')[0]).toBeVisible()
    fill('Confirm passphrase', `${goodPassphrase} `)
    expect(button('Next')).toBeDisabled()
    expect(kit()).toBeNull()
    fireEvent.click(understood())
    expect(button('Next')).toBeEnabled()
    press('Next')
    await title('Add Payment Method')
  })

  it('shows how strong it is', async () => {
    await open()
    expect(screen.getByText(/Strength:/)).toHaveTextContent('–')
    fill('Passphrase', 'password')
    expect(screen.getByText(/Strength:/)).toHaveTextContent('very weak')
    fill('Passphrase', 'seven copper lanterns over quiet water')
    expect(screen.getByText(/Strength:/)).toHaveTextContent('good')
  })

  it('offers the recovery kit to print or save, and stores nothing', async () => {
    openSignup('passphrase')
    await title('Select a Pass Phrase')
    expect(kit()).toBeVisible()
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    press('Print')
    expect(print).toHaveBeenCalledOnce()
    expect(document.body).toHaveTextContent('Company: Acme')
    expect(document.body).toHaveTextContent('Created by: Grace Hopper')
    press('Next')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(goodPassphrase)
  })
})
