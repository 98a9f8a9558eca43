import { useSyncExternalStore } from 'react'

export type ReadableStore<T> = { get: () => T; subscribe: (listener: () => void) => () => void }
export type Store<T> = ReadableStore<T> & { set: (next: T) => void }

/** A value outside React that components can subscribe to with `useStore`. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<T>({ subscribe, get }: ReadableStore<T>): T {
  return useSyncExternalStore(subscribe, get, get)
}
