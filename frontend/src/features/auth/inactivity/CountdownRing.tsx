type Props = { seconds: number; of: number }

const radius = 26
const around = 2 * Math.PI * radius

/** The time that is left, as a ring. The words beside it say the same. */
export function CountdownRing({ seconds, of }: Props) {
  const gone = around * (1 - Math.min(1, seconds / of))
  return (
    <svg width="64" height="64" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <circle cx="32" cy="32" r={radius} fill="none" stroke="var(--t-line)" strokeWidth="6" />
      <circle
        cx="32"
        cy="32"
        r={radius}
        fill="none"
        stroke="var(--t-primary)"
        strokeWidth="6"
        strokeLinecap="round"
        strokeDasharray={around}
        strokeDashoffset={gone}
        transform="rotate(-90 32 32)"
      />
      <text x="32" y="38" textAnchor="middle" fontSize="18" fontWeight="650" fill="var(--t-ink)">
        {seconds}
      </text>
    </svg>
  )
}
