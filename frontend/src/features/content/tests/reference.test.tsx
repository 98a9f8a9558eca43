import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import openapi from '@/api/openapi.json'
import { changeLanguage } from '@/i18n/i18n'
import en from '@/i18n/locales/en/reference.json'
import { fail, ok, serve } from '@/testing/server'
import ApiReferencePage from '../ApiReferencePage'
import { groupsOf, search, type Description } from '../reference/description'
import { curl, loginCommands } from '../reference/example'
import { FieldTable } from '../reference/FieldTable'
import { fieldsOf } from '../reference/fields'
import { renderIn } from './in-language'

const description = openapi as unknown as Description
const { schemas } = description.components
const calls = groupsOf(description).flatMap((group) => group.calls)

function find(method: string, path: string) {
  return calls.find((call) => call.method === method && call.path === path)!
}

/** The description of one call, whose title says the language. */
function titled(language: string): object {
  const { summary, ...call } = openapi.paths['/api/config'].get
  return { ...openapi, paths: { '/api/config': { get: { ...call, summary: `${language}: ${summary}` } } } }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the description', () => {
  it('has a name for every feature, role and need', () => {
    const rules = calls.flatMap((call) => call['x-access'] ?? [])
    expect(groupsOf(description).map(({ name }) => name)).toEqual(Object.keys(en.groups).sort())
    expect([...new Set(rules.flatMap(({ roles }) => roles))].sort()).toEqual(Object.keys(en.access.roles).sort())
    expect([...new Set(rules.flatMap(({ needs }) => needs))].sort()).toEqual(Object.keys(en.access.needs).sort())
  })

  it('says who may make a call', () => {
    expect(find('POST', '/api/invite/users/')['x-access']).toEqual({
      roles: ['teamLeader'],
      needs: ['subscription'],
      scope: 'members:manage',
    })
    expect(find('DELETE', '/api/company/{company_id}')['x-access']).toMatchObject({ roles: ['admin'] })
    expect(find('POST', '/api/auth/prelogin')['x-access']).toBeUndefined()
  })
})

describe('fieldsOf', () => {
  it('lists the fields of nested objects by their path', () => {
    const rows = fieldsOf({ $ref: '#/components/schemas/RegisterTeamLeader' }, schemas)
    expect(rows.find(({ name }) => name === 'user.uuid')).toMatchObject({ type: 'string (uuid)', required: true })
    expect(rows.map(({ name }) => name)).toContain('company.address.city')
  })

  it('ends where a schema contains itself', () => {
    const recursive = { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } }
    expect(fieldsOf({ $ref: '#/components/schemas/Node' }, recursive).at(-1)?.name).toBe('next.next.next.next.next')
  })
})

describe('FieldTable', () => {
  const row = { type: 'string', nullable: false, required: true }

  it('writes choices apart from each other', async () => {
    const schema = { enum: ['full', 'edit'], default: 'full' }
    await renderIn('en', <FieldTable caption="Fields" rows={[{ ...row, name: 'view', schema }]} />)
    expect(screen.getByRole('row', { name: /view/ })).toHaveTextContent('Required · one of full edit · default "full"')
  })

  it('leaves out a maximum that JavaScript would round', async () => {
    const schema = { minimum: 1, maximum: 2 ** 63 }
    await renderIn('en', <FieldTable caption="Fields" rows={[{ ...row, name: 'id', schema }]} />)
    expect(screen.getByRole('row', { name: /id/ })).toHaveTextContent(/Required · at least 1$/)
  })
})

describe('search', () => {
  const call = { ...find('POST', '/api/warehouse'), summary: 'İndirme deposu ekle' }
  const groups = [{ name: 'warehouses', calls: [call] }]

  it.each(['indirme', 'INDIRME', 'İndirme POST', 'api/warehouse', 'WAREHOUSES', 'buluttaki depolar'])(
    'finds a call by %s',
    (text) => {
      expect(search(groups, text, () => 'Buluttaki Depolar')).toEqual(groups)
    },
  )

  it('drops what lacks one of the words', () => {
    expect(search(groups, 'indirme GET', () => 'Buluttaki Depolar')).toEqual([])
  })
})

describe('curl', () => {
  const origin = 'http://127.0.0.1:8000'

  it('of a call without a session has no header', () => {
    expect(curl(find('GET', '/api/config'), schemas, origin)).toBe(`curl "${origin}/api/config"`)
  })

  it('sends the token and the required fields', () => {
    expect(curl(find('POST', '/api/invite/users/'), schemas, origin)).toBe(
      `curl -X POST "${origin}/api/invite/users/" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '[{"email_address":"new.member@northwind.test"}]'`,
    )
  })

  it('looks up the id in the path first', () => {
    const [lookup, command] = curl(find('POST', '/api/warehouse/health-check/{warehouse_id}'), schemas, origin).split(
      '\n',
    )
    expect(lookup).toContain(`WAREHOUSE_ID=$(curl -s "${origin}/api/all"`)
    expect(command).toContain(`"${origin}/api/warehouse/health-check/$WAREHOUSE_ID"`)
  })

  it.each(calls)('of $method $path names every required parameter', (call) => {
    const text = curl(call, schemas, origin)
    expect(text).not.toMatch(/[{]\w+[}]|undefined/)
    for (const { name } of call.parameters?.filter(({ required }) => required) ?? []) {
      expect(text.toUpperCase()).toContain(name.replace(/^X-/, '').replaceAll('-', '_').toUpperCase())
    }
  })

  it('outside the sandbox has no demo account', () => {
    expect(loginCommands(origin, false).join()).not.toContain('northwind')
  })
})

describe('ApiReferencePage', () => {
  it('finds a call and shows who may make it, its fields and an example', async () => {
    serve({ 'GET /api/openapi.json': () => ok(description) })
    await renderIn('en', <ApiReferencePage />)
    await userEvent.click(await screen.findByRole('searchbox'))
    await userEvent.paste('invite members')
    expect(screen.getByText('1 call')).toBeVisible()
    await userEvent.click(screen.getByText('/api/invite/users/'))
    const details = within(screen.getByText('/api/invite/users/').closest('details')!)
    expect(await details.findByText(/Team leader · needs a subscription/)).toBeVisible()
    expect(details.getByRole('region', { name: 'Request body' })).toHaveTextContent('[].email_address')
    expect(details.getByRole('region', { name: 'Example for POST /api/invite/users/' })).toHaveTextContent(
      'curl -X POST',
    )
  })

  it.each(['tr', 'ar'] as const)('speaks %s', async (language) => {
    serve({ 'GET /api/openapi.json': () => ok(description) })
    await renderIn(language, <ApiReferencePage />)
    expect(await screen.findByRole('searchbox')).toBeVisible()
    expect(document.body).not.toHaveTextContent(/groups\.|start\.|search\./)
  })

  it('asks for the texts in its language, and again when that changes', async () => {
    const server = serve({ 'GET /api/openapi.json': ({ headers }) => ok(titled(headers.get('Accept-Language')!)) })
    await renderIn('tr', <ApiReferencePage />)
    expect(await screen.findByText('tr: Read configuration')).toBeVisible()
    await act(() => changeLanguage('ar'))
    expect(await screen.findByText('ar: Read configuration')).toBeVisible()
    expect(screen.queryByText('tr: Read configuration')).toBeNull()
    expect(server.calls.map(({ headers }) => headers.get('Accept-Language'))).toEqual(['tr', 'ar'])
  })

  it('writes texts in the direction of the page and names from left to right', async () => {
    serve({ 'GET /api/openapi.json': () => ok(description) })
    await renderIn('ar', <ApiReferencePage />)
    await userEvent.click(await screen.findByText('/api/auth/verify-recovery-code'))
    const name = await screen.findByText('verify-otp/{code}')
    expect(name.closest('[dir]')).toBe(name)
    expect(name).toHaveAttribute('dir', 'ltr')
    const details = screen.getByText('/api/auth/verify-recovery-code').closest('details')!
    expect(name.parentElement!.closest('[dir]')).toBe(document.documentElement)
    expect(within(details).getByText(/^404/).closest('[dir]')).toBe(document.documentElement)
    expect(within(details).getByText('recoveryCode')).toHaveAttribute('dir', 'ltr')
    expect(details.querySelector('[lang]')).toBeNull()
  })

  it('loads again after a failure', async () => {
    const server = serve({ 'GET /api/openapi.json': () => fail(503, 'busy', 'Please try again.') })
    await renderIn('en', <ApiReferencePage />)
    expect(await screen.findByText('Please try again.')).toBeVisible()
    server.handlers['GET /api/openapi.json'] = () => ok(description)
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('searchbox')).toBeVisible()
  })
})
