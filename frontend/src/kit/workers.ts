import { WorkerPool } from '@/vault/pool'

// Only while the script runs for the first time is it the current one.
const script = typeof document === 'undefined' ? null : document.currentScript

/** Workers that run this page's own script: a page from disk has no other file. */
export function startPool(size?: number): WorkerPool {
  const address = URL.createObjectURL(new Blob([script?.textContent ?? ''], { type: 'text/javascript' }))
  return new WorkerPool(() => new Worker(address), size)
}
