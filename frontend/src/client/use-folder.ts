import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { get } from './api'
import { usePageState } from './client-state'

/** A folder of this computer and those in it; an empty path is the user's own folder. */
export function useLocalFolder(path: string) {
  const { data: folder, error } = useQuery({
    queryKey: ['local-folders', path],
    queryFn: () => get('/local-folders', { path }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return { folder, error }
}

/** A folder of a space and those in it; an empty path is the whole space. */
export function useSpaceFolder(space: string, path: string) {
  const { spaces } = usePageState()
  const { name: spaceName = '', revision } = spaces.find((each) => each.id === space) ?? {}
  const { data, error } = useQuery({
    queryKey: ['folders', space, path, revision],
    queryFn: () => get('/files', { space, path, folders: '1', all: '1' }),
    placeholderData: keepPreviousData,
    enabled: revision !== undefined,
  })
  const names = data?.rows.map((row) => row.name)
  const folder = names && {
    path,
    parent: path ? parentOf(path) : null,
    folders: names,
    shownPath: path ? `${spaceName}/${path}` : spaceName,
  }
  return { folder, error }
}

export function parentOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}
