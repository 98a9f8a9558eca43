import { useEffect, useState } from 'react'

type Found<T> = { data: T | null; error: unknown }

/** What a link stands for, asked when the page opens. The public pages do without the query client. */
export function useLookup<T>(ask: (token: string) => Promise<T>, token: string) {
  const [found, setFound] = useState<Found<T>>({ data: null, error: null })
  const [round, setRound] = useState(0)
  useEffect(() => {
    let current = true
    ask(token).then(
      (data) => {
        if (current) setFound({ data, error: null })
      },
      (error: unknown) => {
        if (current) setFound({ data: null, error })
      },
    )
    return () => {
      current = false
    }
  }, [ask, token, round])
  const retry = () => {
    setFound({ data: null, error: null })
    setRound(round + 1)
  }
  return { ...found, retry }
}
