/** The user closed the dialog whose answer was awaited: nothing has been done, and no error is shown. */
export class CancelledError extends Error {
  constructor() {
    super('The dialog was closed.')
    this.name = 'CancelledError'
  }
}

export type Deferred<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: Error) => void }

/** `Promise.withResolvers`, for browsers that do not have it yet. */
export function createDeferred<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => undefined
  let reject: Deferred<T>['reject'] = () => undefined
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
