import { useRef, useState } from 'react'

/** The person has closed a dialog whose answer was being waited for: nothing went wrong. */
export class AskCancelledError extends Error {
  constructor() {
    super('The dialog was closed.')
    this.name = 'AskCancelledError'
  }
}

/** A dialog that work in progress waits for. */
export function useAsk<T>() {
  const [open, setOpen] = useState(false)
  const waiting = useRef<PromiseWithResolvers<T> | null>(null)

  function ask(): Promise<T> {
    waiting.current ??= withResolvers<T>()
    setOpen(true)
    return waiting.current.promise
  }

  function settle(settled: (one: PromiseWithResolvers<T>) => void) {
    const one = waiting.current
    waiting.current = null
    setOpen(false)
    if (one) settled(one)
  }

  return {
    open,
    ask,
    answer: (value: T) => settle(({ resolve }) => resolve(value)),
    cancel: () => settle(({ reject }) => reject(new AskCancelledError())),
  }
}

type PromiseWithResolvers<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: Error) => void }

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
