import * as z from 'zod/mini'
import type { NewWarehouse, WarehouseDetails } from '../api'
import { isWarehouseType, S3, type WarehouseType } from '../warehouse-type'
import { FIELD_NAMES, fieldsOf, isRequired, type FieldName } from './fields'

export type WarehouseForm = Record<FieldName, string> & { nickName: string }

const text = z.string().check(z.trim())

const shape = {
  nickName: text,
  appKey: text,
  appSecret: text,
  refreshToken: text,
  accessToken: text,
  bucketName: text,
  region: text,
  applicationName: text,
  accountKey: text,
  secret: text,
  clientEmail: text,
  clientId: text,
  projectId: text,
  privateKeyId: text,
  privateKey: text,
  cert: text,
  path: text,
}

/** Checks required fields only; the server checks their format. Messages are keys of the `auth` texts. */
export function warehouseSchema(type: WarehouseType) {
  return z.object(shape).check(({ value, issues }) => {
    for (const field of fieldsOf(type)) {
      if (value[field] !== '' || !isRequired(type, field, value)) continue
      issues.push({ code: 'custom', input: value, path: [field], message: 'fields.required' })
    }
  })
}

const blank = Object.fromEntries(FIELD_NAMES.map((field) => [field, ''])) as Record<FieldName, string>

export const emptyForm: WarehouseForm = { ...blank, nickName: '' }

export function typeOf({ wareHouseId }: { wareHouseId: number }): WarehouseType {
  return isWarehouseType(wareHouseId) ? wareHouseId : S3
}

export function toForm(details: WarehouseDetails): WarehouseForm {
  const known = fieldsOf(typeOf(details)).map((field) => [field, details[field] ?? ''])
  return { ...emptyForm, ...(Object.fromEntries(known) as Partial<WarehouseForm>), nickName: details.nickName ?? '' }
}

/** Only the type's own fields: values typed for another type are not sent. */
export function toBody(type: WarehouseType, form: WarehouseForm): NewWarehouse {
  const own = fieldsOf(type).map((field) => [field, form[field]])
  return { wareHouseId: type, nickName: form.nickName || null, ...(Object.fromEntries(own) as Partial<WarehouseForm>) }
}

/** The server's field names are the form's. */
export const wireNames = Object.fromEntries(
  ['nickName' as const, ...FIELD_NAMES].map((field) => [field, field]),
) as Record<string, keyof WarehouseForm>
