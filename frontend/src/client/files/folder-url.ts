function encode(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The address of a folder's page. */
export function folderUrl(space: string, path: string): string {
  return `/files/${space}/${encode(path)}`
}

/** The address of a removed folder's page. */
export function trashUrl(space: string, path: string): string {
  return `/trash/${space}/${encode(path)}`
}

/** The address of a folder's changes. */
export function historyUrl(space: string, path: string): string {
  return `/history/${space}?${new URLSearchParams({ path }).toString()}`
}

/** The address of a folder as it was after a change. */
export function momentUrl(space: string, moment: { sequence: number; time: number }, path: string): string {
  return `/history/${space}/${moment.sequence}/${moment.time}/${encode(path)}`
}
