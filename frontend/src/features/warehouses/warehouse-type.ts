export const DROPBOX = 1
export const S3 = 3
export const AZURE = 4
export const GOOGLE = 5

/** In the order in which they are offered. */
export const WAREHOUSE_TYPES = [S3, AZURE, GOOGLE, DROPBOX] as const

export type WarehouseType = (typeof WAREHOUSE_TYPES)[number]

/** Names of products are the same in every language. */
const names: Record<WarehouseType, string> = {
  [S3]: 'AWS S3',
  [AZURE]: 'Azure',
  [GOOGLE]: 'Google Cloud',
  [DROPBOX]: 'Dropbox',
}

export function isWarehouseType(code: number): code is WarehouseType {
  return WAREHOUSE_TYPES.some((type) => type === code)
}

export function typeName(code: number): string {
  return isWarehouseType(code) ? names[code] : ''
}

/** The nickname, or the type if there is none. */
export function warehouseName({ nickName, wareHouseId }: { nickName?: string | null; wareHouseId: number }): string {
  return nickName?.trim() || typeName(wareHouseId)
}

/** The section of the help page about a type's credentials. */
const sections: Record<WarehouseType, string> = {
  [S3]: 'aws-s3',
  [AZURE]: 'azure',
  [GOOGLE]: 'google-cloud',
  [DROPBOX]: 'dropbox',
}

export function helpFor(type: WarehouseType): string {
  return `/faq#${sections[type]}`
}

/** The bucket or container and the folder, as one path. */
export function warehouseLocation({ bucket, path }: { bucket: string; path: string }): string {
  return bucket ? [bucket, path.replace(/^\/+/, '')].filter(Boolean).join('/') : path
}
