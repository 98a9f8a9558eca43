import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '@/components/toast'
import { useErrorText } from '../use-call'
import { fetchAll, type FileRow, type Listed } from './use-rows'

type Chosen = { list: string; rows: ReadonlyMap<string, FileRow>; anchor: string | undefined }

export type Selection = {
  rows: FileRow[]
  has: (path: string) => boolean
  /** Chooses a row or drops it; `extend` chooses everything up to the row that was last toggled. */
  toggle: (row: FileRow, extend: boolean) => void
  chooseAll: () => void
  clear: () => void
}

/** Which rows of a list are chosen; another folder or search begins with none. */
export function useSelection({ space, path, search, trash, at, ...order }: Listed): Selection {
  const client = useQueryClient()
  const textOf = useErrorText()
  const list = JSON.stringify([space, path, search, trash, at])
  const none: Chosen = { list, rows: new Map(), anchor: undefined }
  const [state, setState] = useState(none)
  const chosen = state.list === list ? state : none

  function add(more: FileRow[], anchor?: string) {
    setState((current) => {
      const before = current.list === list ? current : none
      const rows = new Map([...before.rows, ...more.map((row) => [row.path, row] as const)])
      return { list, rows, anchor: anchor ?? before.anchor }
    })
  }

  /** Most rows of a long list have not been fetched. */
  async function addFrom(pick: (all: FileRow[]) => FileRow[]) {
    try {
      add(pick(await fetchAll(client, { space, path, search, trash, at, ...order })))
    } catch (error) {
      toast.error(textOf(error))
    }
  }

  return {
    rows: [...chosen.rows.values()],
    has: (each) => chosen.rows.has(each),
    toggle: (row, extend) => {
      if (extend && chosen.anchor !== undefined) {
        void addFrom((all) => {
          const ends = [chosen.anchor, row.path].map((each) => all.findIndex((one) => one.path === each))
          return all.slice(Math.max(0, Math.min(...ends)), Math.max(...ends) + 1)
        })
      } else if (chosen.rows.has(row.path)) {
        const rows = new Map(chosen.rows)
        rows.delete(row.path)
        setState({ list, rows, anchor: row.path })
      } else {
        add([row], row.path)
      }
    },
    chooseAll: () => void addFrom((all) => all),
    clear: () => setState(none),
  }
}
