import { AZURE, DROPBOX, GOOGLE, S3, type WarehouseType } from '../warehouse-type'

export const FIELD_NAMES = [
  'appKey',
  'appSecret',
  'refreshToken',
  'accessToken',
  'bucketName',
  'region',
  'applicationName',
  'accountKey',
  'secret',
  'clientEmail',
  'clientId',
  'projectId',
  'privateKeyId',
  'privateKey',
  'cert',
  'path',
] as const

export type FieldName = (typeof FIELD_NAMES)[number]
export type FieldValues = Partial<Record<FieldName, string>>

/** In the order of the form. */
const byType: Record<WarehouseType, readonly FieldName[]> = {
  [DROPBOX]: ['appKey', 'appSecret', 'refreshToken', 'accessToken', 'path'],
  [S3]: ['bucketName', 'region', 'accountKey', 'secret', 'path'],
  [AZURE]: ['applicationName', 'path', 'accountKey'],
  [GOOGLE]: ['bucketName', 'path', 'projectId', 'clientEmail', 'clientId', 'privateKeyId', 'privateKey', 'cert'],
}

const secrets: readonly FieldName[] = ['appSecret', 'refreshToken', 'accessToken', 'accountKey', 'secret', 'privateKey']

/** Fields that take the whole width: their values are long. */
const wide: readonly FieldName[] = ['refreshToken', 'accessToken', 'privateKey', 'cert']

export function fieldsOf(type: WarehouseType): readonly FieldName[] {
  return byType[type]
}

const dropboxApp: readonly FieldName[] = ['appKey', 'appSecret', 'refreshToken']

/** Google allows the bucket's root; Dropbox needs an access token, or all three values of an app. */
export function isRequired(type: WarehouseType, field: FieldName, values: FieldValues): boolean {
  if (type === DROPBOX && field !== 'path') {
    const hasApp = dropboxApp.some((each) => values[each]?.trim())
    return dropboxApp.includes(field) === hasApp
  }
  return byType[type].includes(field) && !(type === GOOGLE && field === 'path')
}

export function isSecret(field: FieldName): boolean {
  return secrets.includes(field)
}

export function isWide(type: WarehouseType, field: FieldName): boolean {
  return wide.includes(field) || (type === AZURE && field === 'accountKey')
}

/** Key of its label: for Azure, the account key is a whole connection string. */
export function labelKey(type: WarehouseType, field: FieldName): `fields.${string}` {
  if (type === AZURE && field === 'accountKey') return 'fields.connectionString'
  return `fields.${field}`
}

/** Key of the hint below a field, if it has one. */
export function hintKey(type: WarehouseType, field: FieldName): `hints.${string}` | null {
  if (field === 'path') return type === GOOGLE ? 'hints.pathOptional' : 'hints.path'
  if (field === 'applicationName') return 'hints.applicationName'
  if (type === AZURE && field === 'accountKey') return 'hints.connectionString'
  const explained: readonly FieldName[] = ['accountKey', 'secret', 'appKey', 'accessToken']
  if (explained.includes(field)) return `hints.${field}`
  return null
}
