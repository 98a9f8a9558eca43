/** The nickname, or the provider's name if there is none. */
export function warehouseName({ nickName, typeName }: { nickName?: string | null; typeName: string }): string {
  return nickName?.trim() || typeName
}

/** The bucket or container and the folder, as one path. */
export function warehouseLocation({ bucket, path }: { bucket: string; path: string }): string {
  return bucket ? [bucket, path.replace(/^\/+/, '')].filter(Boolean).join('/') : path
}
