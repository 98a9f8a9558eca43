import { useRef, useState } from 'react'
import { CancelledError, createDeferred, type Deferred } from '@/lib/deferred'

/** A dialog that running work can await. */
export function useDialogPromise<T>() {
  const [isOpen, setIsOpen] = useState(false)
  const pending = useRef<Deferred<T> | null>(null)

  function open(): Promise<T> {
    pending.current ??= createDeferred<T>()
    setIsOpen(true)
    return pending.current.promise
  }

  function settle(finish: (deferred: Deferred<T>) => void) {
    const deferred = pending.current
    pending.current = null
    setIsOpen(false)
    if (deferred) finish(deferred)
  }

  return {
    isOpen,
    open,
    answer: (value: T) => settle(({ resolve }) => resolve(value)),
    cancel: () => settle(({ reject }) => reject(new CancelledError())),
  }
}
