import { useTranslation } from 'react-i18next'
import styles from './hero-drawing.module.css'

const width = 520

const clouds = [
  { name: 'AWS S3', y: 26, tile: styles.first, full: [0], half: [3], way: 'M150 198C232 198 232 74 326 74' },
  { name: 'Azure', y: 166, tile: styles.second, full: [1], half: [2], way: 'M150 214H326' },
  { name: 'Google Cloud', y: 306, tile: styles.third, full: [2], half: [0], way: 'M150 230C232 230 232 354 326 354' },
]

const slots = [0, 1, 2, 3]

/** A document, locked, cut in tiles, spread over three clouds. It flows in the reading direction. */
export function HeroDrawing() {
  const { t, i18n } = useTranslation('content')
  const mirrored = i18n.dir() === 'rtl'
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${width} 428`} role="img" aria-label={t('hero.drawing')}>
      <g transform={mirrored ? `translate(${width} 0) scale(-1 1)` : undefined}>
        <g transform="translate(14 134)">
          <rect className={styles.sheet} width="136" height="160" rx="16" />
          <path className={styles.lines} d="M26 36h84M26 58h84M26 80h50" />
          <rect className={styles.lock} x="45" y="104" width="46" height="36" rx="9" />
          <path className={styles.shackle} d="M56 104v-9a12 12 0 0 1 24 0v9" />
          <path className={styles.keyhole} d="M68 118v9" />
        </g>
        {clouds.map((cloud) => (
          <g key={cloud.name}>
            <path className={styles.way} d={cloud.way} />
            <g transform={`translate(326 ${cloud.y})`}>
              <rect className={styles.sheet} width="180" height="96" rx="16" />
              {slots.map((slot) => {
                const look = cloud.full.includes(slot)
                  ? styles.laid
                  : cloud.half.includes(slot)
                    ? styles.pale
                    : styles.open
                return (
                  <rect
                    key={slot}
                    className={`${look} ${cloud.tile}`}
                    x={20 + slot * 34}
                    y="52"
                    width="27"
                    height="27"
                    rx="7"
                  />
                )
              })}
            </g>
          </g>
        ))}
        {clouds.map((cloud) => (
          <rect
            key={cloud.name}
            className={`${styles.moving} ${cloud.tile}`}
            x="-17"
            y="-17"
            width="34"
            height="34"
            rx="9"
          />
        ))}
      </g>
      {clouds.map((cloud) => (
        <text
          key={cloud.name}
          className={styles.name}
          x={mirrored ? width - 346 : 346}
          y={cloud.y + 34}
          textAnchor={mirrored ? 'end' : 'start'}
        >
          {cloud.name}
        </text>
      ))}
    </svg>
  )
}
