import { providers } from '@/testing/providers'
import { ok, serve } from '@/testing/server'
import type { Warehouse, WarehouseDetails, WarehouseSummary } from '../api'

const goodDays = Array.from({ length: 30 }, () => 2 as const)

export function aWarehouse(change: Partial<Warehouse> = {}): Warehouse {
  return {
    id: 11,
    wareHouseId: 3,
    typeName: 'AWS S3',
    nickName: 'Frankfurt archive',
    bucket: 'frankfurt-tiles',
    path: '/vault',
    status: 2,
    isDefault: true,
    lastCheck: new Date(Date.now() - 120_000).toISOString(),
    lastError: null,
    lastErrorCode: null,
    checking: false,
    days: goodDays,
    dateCreated: '2026-02-03T10:00:00Z',
    credentialsSince: new Date(Date.now() - 90 * 86_400_000).toISOString(),
    ...change,
  }
}

export const azure = aWarehouse({
  id: 12,
  wareHouseId: 4,
  typeName: 'Azure',
  nickName: null,
  bucket: 'mirror',
  path: '',
  isDefault: false,
})

export const healthless = aWarehouse({
  id: 13,
  wareHouseId: 5,
  typeName: 'Google Cloud',
  nickName: 'Zürich cold store',
  bucket: '',
  path: '',
  isDefault: false,
  status: 1,
  lastError: 'The health file is missing.',
  lastErrorCode: 'health_missing',
  days: [...Array.from({ length: 20 }, () => null), ...Array.from({ length: 8 }, () => 2 as const), 0, 1],
})

export const refused = aWarehouse({
  id: 14,
  wareHouseId: 1,
  typeName: 'Dropbox',
  nickName: 'Dropbox spare',
  isDefault: false,
  status: 0,
  lastError: 'The provider does not accept the key.',
  lastErrorCode: 'wrong_key',
})

export function detailsOf(warehouse: Warehouse, change: Partial<WarehouseDetails> = {}): WarehouseDetails {
  return { ...warehouse, verifiedFor: 300, ...change }
}

export const s3Details = detailsOf(aWarehouse(), {
  bucketName: 'northwind-tessera',
  region: 'eu-central-1',
  accountKey: 'AKIA0000000000007Q2M',
  secret: 'sssh-do-not-tell-anybody',
})

export function summaryOf(warehouses: readonly Warehouse[]): WarehouseSummary {
  const active = warehouses.filter(({ status }) => status === 2).length
  const connected = warehouses.filter(({ status }) => status === 1).length
  return { active, connected, total: warehouses.length, needed: 3, mayFail: Math.max(0, active - 3), keyVersion: 2 }
}

const nothingHeld = { shards: 0, bytes: 0, isPossible: true, isUnderWay: false }

type Handlers = Parameters<typeof serve>[0]

/** A server with these warehouses. */
export function serveClouds(warehouses: readonly Warehouse[], more: Handlers = {}) {
  return serve({
    'GET /api/providers': () => ok(providers),
    'GET /api/all': ({ url: { searchParams } }) => {
      const text = searchParams.get('searchText')?.toLowerCase() ?? ''
      const limit = Number(searchParams.get('limit'))
      const start = Number(searchParams.get('skip')) * limit
      const found = warehouses.filter(({ nickName }) => (nickName ?? '').toLowerCase().includes(text))
      return ok({ item1: found.slice(start, start + limit), item2: found.length, summary: summaryOf(warehouses) })
    },
    'GET /api/warehouse': ({ url: { searchParams } }) => {
      const id = Number(searchParams.get('warehouseId'))
      const found = warehouses.find((each) => each.id === id)
      const details = id === s3Details.id ? s3Details : detailsOf(found!)
      const masked = { secret: '••••••••', accountKey: '••••••••' }
      return ok(searchParams.get('view') === 'masked' ? { ...details, ...masked } : details)
    },
    ...Object.fromEntries(
      warehouses.map(({ id }) => [`GET /api/storage/warehouses/${id}/relocation`, () => ok(nothingHeld)]),
    ),
    'POST /api/warehouse/test': () => ok({ connected: true, error: null, errorCode: null }),
    ...more,
  })
}
