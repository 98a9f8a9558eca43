import type { ReactNode } from 'react'

export type TileArtName = 'empty' | 'error' | 'lost' | 'locked' | 'done'

type TileProps = { x: number; y: number; fill?: string; open?: boolean }

function Tile({ x, y, fill = 'var(--t-primary-soft)', open = false }: TileProps) {
  const look = open
    ? { fill: 'none', stroke: 'var(--t-ink-soft)', strokeWidth: 2, strokeDasharray: '4 5' }
    : { fill, stroke: 'var(--t-line)', strokeWidth: 1 }
  return <rect x={x} y={y} width="36" height="36" rx="9" {...look} />
}

const line = { fill: 'none', strokeWidth: 3, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

const drawings: Record<TileArtName, ReactNode> = {
  empty: (
    <>
      <Tile x={38} y={20} />
      <Tile x={82} y={20} open />
      <Tile x={38} y={64} open />
      <Tile x={82} y={64} open />
      <path {...line} stroke="var(--t-primary)" d="M100 76v12M94 82h12" />
    </>
  ),
  error: (
    <>
      <Tile x={38} y={20} fill="var(--t-primary)" />
      <Tile x={82} y={20} fill="var(--t-teal)" />
      <Tile x={38} y={64} fill="var(--t-amber)" />
      <g transform="rotate(14 112 84)">
        <Tile x={94} y={66} fill="var(--t-card)" />
        <path {...line} stroke="var(--t-coral)" d="M112 74v12M112 93v.5" />
      </g>
    </>
  ),
  lost: (
    <>
      <Tile x={16} y={42} fill="var(--t-primary)" />
      <Tile x={62} y={42} open />
      <Tile x={108} y={42} fill="var(--t-teal)" />
      <path {...line} stroke="var(--t-ink-soft)" d="M74 56a6 6 0 1 1 8 6c-1.6.8-2 2-2 4M80 71v.5" />
    </>
  ),
  done: (
    <>
      <Tile x={38} y={20} fill="var(--t-primary)" />
      <Tile x={82} y={20} fill="var(--t-teal)" />
      <Tile x={38} y={64} fill="var(--t-amber)" />
      <Tile x={82} y={64} />
      <path {...line} stroke="var(--t-primary)" d="M92 83l6 6 11-13" />
    </>
  ),
  locked: (
    <>
      <Tile x={38} y={20} />
      <Tile x={82} y={20} />
      <Tile x={38} y={64} />
      <Tile x={82} y={64} />
      <rect x="60" y="54" width="36" height="28" rx="8" fill="var(--t-primary)" />
      <path {...line} strokeWidth={5} stroke="var(--t-primary)" d="M68 54v-6a10 10 0 0 1 20 0v6" />
      <path {...line} stroke="var(--t-on-primary)" d="M78 65v7" />
    </>
  ),
}

type Props = { name: TileArtName; width?: number }

/** Line drawings for empty and error states. Hidden from screen readers: the text beside them says the same. */
export function TileArt({ name, width = 156 }: Props) {
  return (
    <svg width={width} viewBox="0 0 156 120" aria-hidden="true" focusable="false">
      {drawings[name]}
    </svg>
  )
}
