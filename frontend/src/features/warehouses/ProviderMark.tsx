import type { ReactNode } from 'react'
import styles from './provider-mark.module.css'

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/** Our own icons by type: an open box, a bucket, a stack, a cloud. Another provider gets the box of a parcel. */
const drawings: Record<number, ReactNode> = {
  3: (
    <>
      <ellipse cx="12" cy="7" rx="7" ry="2.6" {...line} />
      <path d="M5 7l2 10.4c.2 1.2 2.3 2 5 2s4.8-.8 5-2L19 7" {...line} />
    </>
  ),
  4: <path d="M12 4 4 8l8 4 8-4zM4 12l8 4 8-4M4 16l8 4 8-4" {...line} />,
  5: <path d="M7 18h9.5a3.8 3.8 0 0 0 .6-7.5A5.5 5.5 0 0 0 6.6 10 4 4 0 0 0 7 18z" {...line} />,
  1: <path d="M5 10v9h14v-9M3 10h18M5 10l3-5h8l3 5M12 5v5" {...line} />,
}

const neutral = <path d="M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8" {...line} />

/** Beside the name of the type, so hidden from screen readers. */
export function ProviderMark({ type, small = false }: { type: number; small?: boolean }) {
  return (
    <span className={styles.mark} data-type={type} data-small={small} aria-hidden>
      <svg viewBox="0 0 24 24" focusable="false">
        {drawings[type] ?? neutral}
      </svg>
    </span>
  )
}
