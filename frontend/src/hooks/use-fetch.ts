import { useCallback, useEffect, useState } from 'react'

type State<T> = { data: T | null; error: unknown }

/** Fetches when the page opens, without the query client, which public pages do not load. */
export function useFetch<T>(fetcher: (argument: string) => Promise<T>, argument: string) {
  const [state, setState] = useState<State<T>>({ data: null, error: null })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let current = true
    fetcher(argument).then(
      (data) => {
        if (current) setState({ data, error: null })
      },
      (error: unknown) => {
        if (current) setState({ data: null, error })
      },
    )
    return () => {
      current = false
    }
  }, [fetcher, argument, attempt])
  const refresh = useCallback(() => setAttempt((before) => before + 1), [])
  const retry = () => {
    setState({ data: null, error: null })
    refresh()
  }
  /** `refresh` shows the former data until the new one is there. */
  return { ...state, retry, refresh }
}
