import * as z from 'zod/mini'
import type { NewWarehouse, WarehouseDetails } from '../api'
import { isRequired, type Provider } from '../providers'

/** The nickname, and the fields of all providers by name. */
export type WarehouseForm = Record<string, string>

/** Checks required fields only; the server checks their format. Messages are keys of the `auth` texts. */
export function warehouseSchema(provider: Provider) {
  return z.record(z.string(), z.string().check(z.trim())).check(({ value, issues }) => {
    for (const field of provider.fields) {
      if (value[field.name] || !isRequired(provider, field, value)) continue
      issues.push({ code: 'custom', input: value, path: [field.name], message: 'fields.required' })
    }
  })
}

export function valueOf(details: WarehouseDetails, name: string): string {
  const value = (details as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

export function toForm(providers: readonly Provider[], details: WarehouseDetails | null): WarehouseForm {
  const names = ['nickName', ...providers.flatMap(({ fields }) => fields.map(({ name }) => name))]
  return Object.fromEntries(names.map((name) => [name, details ? valueOf(details, name) : '']))
}

/** Only the type's own fields: values typed for another type are not sent. */
export function toBody({ type, fields }: Provider, form: WarehouseForm): NewWarehouse {
  const own = Object.fromEntries(fields.map(({ name }) => [name, form[name] ?? '']))
  return { wareHouseId: type, nickName: form.nickName || null, ...own }
}
