type Props = { size?: number; className?: string }

/** The logo: three filled tiles and an open one. Decorative: the name is beside it or on its link. */
export function TesseraMark({ size = 30, className }: Props) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 30 30" aria-hidden="true" focusable="false">
      <rect x="1" y="1" width="13" height="13" rx="3" fill="var(--t-mark, #2f55d4)" />
      <rect x="16" y="1" width="13" height="13" rx="3" fill="var(--t-teal)" />
      <rect x="1" y="16" width="13" height="13" rx="3" fill="var(--t-amber)" />
      <rect
        x="17.5"
        y="17.5"
        width="10"
        height="10"
        rx="3"
        fill="none"
        stroke="#8ea4e6"
        strokeWidth="2"
        strokeDasharray="3 3"
      />
    </svg>
  )
}
