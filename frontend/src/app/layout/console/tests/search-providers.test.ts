import { afterEach, describe, expect, it, vi } from 'vitest'
import { ok, serve } from '@/testing/server'
import { aLeader, aMember, anAdmin } from '@/testing/users'
import { searchProviders } from '../search/search-providers'

const signal = new AbortController().signal
const idsFor = (user: Parameters<(typeof searchProviders)[0]['isFor']>[0]) =>
  searchProviders.filter(({ isFor }) => isFor(user)).map(({ id }) => id)
const ask = (id: string, query: string) => searchProviders.find((provider) => provider.id === id)!.search(query, signal)

afterEach(() => vi.unstubAllGlobals())

describe('what the search finds by name', () => {
  it('is members for a subscribed leader and companies for an admin', () => {
    expect(idsFor(aLeader())).toEqual(expect.arrayContaining(['members']))
    expect(idsFor(aLeader({ isSubscribed: false }))).not.toContain('members')
    expect(idsFor(anAdmin())).toEqual(expect.arrayContaining(['companies']))
    expect(idsFor(aMember())).toEqual([])
  })

  it('opens a member in the list', async () => {
    const ada = { uuid: 'u1', firstName: 'Ada', lastName: 'Lindqvist', email_address: 'ada+x@b.test' }
    const server = serve({ 'GET /api/users': () => ok({ item1: [ada], item2: 1 }) })
    const [found] = await ask('members', 'ada')
    expect(server.calls[0]!.url.search).toBe('?skip=0&limit=5&searchText=ada')
    expect(found).toMatchObject({ kind: 'member', label: 'Ada Lindqvist', detail: 'ada+x@b.test' })
    const navigate = vi.fn()
    found!.open(navigate)
    expect(navigate).toHaveBeenCalledWith({ pathname: '/team-members', search: 'q=ada%2Bx%40b.test' })
  })

  it('opens a warehouse in the list', async () => {
    const found = { id: 4, wareHouseId: 3, typeName: 'AWS S3', nickName: 'Frankfurt archive' }
    serve({
      'GET /api/all': () =>
        ok({ item1: [found, { id: 5, wareHouseId: 4, typeName: 'Azure', nickName: null }], item2: 2 }),
    })
    const [first, second] = await ask('warehouses', 'fra')
    expect(first).toMatchObject({ kind: 'warehouse', label: 'Frankfurt archive', detail: 'AWS S3' })
    expect(second).toMatchObject({ label: 'Azure' })
    const navigate = vi.fn()
    first!.open(navigate)
    expect(navigate).toHaveBeenCalledWith({ pathname: '/warehouses', search: 'q=Frankfurt+archive' })
  })

  it('is warehouses for whoever may see them', () => {
    expect(idsFor(aLeader())).toContain('warehouses')
    expect(idsFor(aLeader({ canViewWarehouse: false }))).not.toContain('warehouses')
    expect(idsFor(anAdmin())).not.toContain('warehouses')
  })

  it('opens the members of a company', async () => {
    serve({ 'GET /api/companies': () => ok({ item1: [{ id: 7, name: 'Pinecrest', email: 'p@c.test' }], item2: 1 }) })
    const [found] = await ask('companies', 'pine')
    const navigate = vi.fn()
    found!.open(navigate)
    expect(navigate).toHaveBeenCalledWith('/admin/members?company=7')
  })
})
