/** The address of a folder's page. */
export function folderUrl(space: string, path: string): string {
  return `/files/${space}/${path.split('/').map(encodeURIComponent).join('/')}`
}
