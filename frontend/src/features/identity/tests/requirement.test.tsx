import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import { SsoSection } from '../sso/SsoSection'
import { anSso } from './sso-answers'

function open(sso: { required?: boolean; isTried?: boolean; recoveryCodesLeft?: number }) {
  const read = anSso(sso)
  const server = serve({
    'GET /api/identity/sso': () => ok(read),
    'PUT /api/identity/sso/requirement': () => ok({ ...read, required: !read.required }),
  })
  renderWithProviders(<SsoSection />, { withToasts: true })
  return server
}

const button = (name: string) => screen.findByRole('button', { name })

describe('requiring single sign-on', () => {
  it('says what is missing, and sends nothing', async () => {
    const server = open({ isTried: false })
    await userEvent.click(await button('Require single sign-on'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getAllByText('Log in with your own company account once before you require it.')[0]).toBeVisible()
    expect(server.to('PUT /api/identity/sso/requirement')).toEqual([])
  })

  it('asks for recovery codes', async () => {
    open({ recoveryCodesLeft: 0 })
    const [reason] = await screen.findAllByText('Set up an authenticator app with recovery codes first.')
    expect(reason).toBeVisible()
  })

  it('is confirmed before it is saved', async () => {
    const server = open({})
    await userEvent.click(await button('Require single sign-on'))
    const [, confirm] = await screen.findAllByRole('button', { name: 'Require single sign-on', hidden: true })
    await userEvent.click(confirm!)
    await waitFor(() => expect(server.to('PUT /api/identity/sso/requirement')[0]?.body).toEqual({ required: true }))
    expect(await screen.findByText('Single Sign-on Required')).toBeVisible()
  })

  it('is made optional, and keeps the provider until then', async () => {
    const server = open({ required: true })
    expect(await button('Remove Okta')).toBeDisabled()
    await userEvent.click(await button('Make single sign-on optional'))
    const [, confirm] = await screen.findAllByRole('button', { name: 'Make single sign-on optional', hidden: true })
    await userEvent.click(confirm!)
    await waitFor(() => expect(server.to('PUT /api/identity/sso/requirement')[0]?.body).toEqual({ required: false }))
  })
})
