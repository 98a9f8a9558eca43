/** The address of a folder's page. */
export function pathTo(space: string, path: string): string {
  return `/files/${space}/${path.split('/').map(encodeURIComponent).join('/')}`
}
