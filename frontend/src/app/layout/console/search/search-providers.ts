import type { NavigateFunction } from 'react-router'
import type { User } from '@/api/session'
import { membersPath } from '@/app/active-company'
import { listCompanies } from '@/features/companies/api'
import { listMembers } from '@/features/members/api'
import { listWarehouses } from '@/features/warehouses/api'
import { warehouseName } from '@/features/warehouses/warehouse-name'

export type SearchResultKind = 'member' | 'company' | 'warehouse'

export type SearchResult = {
  id: string
  kind: SearchResultKind
  label: string
  detail?: string
  open: (navigate: NavigateFunction) => void
}

/** Finds things by name on the server. Asked with at least two characters, after typing has paused. */
export type SearchProvider = {
  id: string
  isFor: (user: User) => boolean
  search: (query: string, signal: AbortSignal) => Promise<SearchResult[]>
}

const MAX_OF_A_KIND = 5

const members: SearchProvider = {
  id: 'members',
  isFor: ({ permissions, isSubscribed }) => permissions.includes('members:manage') && isSubscribed,
  search: async (query, signal) => {
    const { item1 } = await listMembers(null, { skip: 0, limit: MAX_OF_A_KIND, searchText: query }, signal)
    return item1.map(({ uuid, firstName, lastName, email_address }) => ({
      id: uuid,
      kind: 'member',
      label: `${firstName} ${lastName}`,
      detail: email_address,
      open: (navigate) =>
        void navigate({ pathname: '/team-members', search: String(new URLSearchParams({ q: email_address })) }),
    }))
  },
}

const companies: SearchProvider = {
  id: 'companies',
  isFor: ({ permissions }) => permissions.includes('companies:manage'),
  search: async (query, signal) => {
    const { item1 } = await listCompanies({ skip: 0, limit: MAX_OF_A_KIND, searchText: query }, signal)
    return item1.map(({ id, name, email }) => ({
      id: String(id),
      kind: 'company',
      label: name,
      detail: email,
      open: (navigate) => void navigate(membersPath(id)),
    }))
  },
}

const warehouses: SearchProvider = {
  id: 'warehouses',
  isFor: ({ permissions, isSubscribed, canViewWarehouse }) =>
    permissions.includes('warehouses:manage') && isSubscribed && canViewWarehouse,
  search: async (query, signal) => {
    const { item1 } = await listWarehouses({ skip: 0, limit: MAX_OF_A_KIND, searchText: query }, signal)
    return item1.map((warehouse) => ({
      id: String(warehouse.id),
      kind: 'warehouse',
      label: warehouseName(warehouse),
      detail: warehouse.typeName,
      open: (navigate) =>
        void navigate({
          pathname: '/warehouses',
          search: String(new URLSearchParams({ q: warehouseName(warehouse) })),
        }),
    }))
  },
}

export const searchProviders: SearchProvider[] = [members, companies, warehouses]
