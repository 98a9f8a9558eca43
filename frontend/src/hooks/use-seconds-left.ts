import { useSyncExternalStore } from 'react'

function everyHalfSecond(tick: () => void): () => void {
  const timer = setInterval(tick, 500)
  return () => clearInterval(timer)
}

const never = () => () => undefined

/** Whole seconds until a moment, computed from the clock, so that a throttled tab stays correct. */
export function useSecondsLeft(moment: number | null): number {
  const left = () => (moment === null ? 0 : Math.max(0, Math.ceil((moment - Date.now()) / 1000)))
  return useSyncExternalStore(moment === null ? never : everyHalfSecond, left, left)
}

/** 272 → `4:32` */
export function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
