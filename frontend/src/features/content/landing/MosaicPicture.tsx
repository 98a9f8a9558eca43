import { useTranslation } from 'react-i18next'
import { columns, isHeld, rows, tiles, type Cloud } from './mosaic'
import styles from './mosaic.module.css'

const step = 30
const kinds: Record<string, string | undefined> = { p: styles.mountain, s: styles.sun, t: styles.hill }

export function MosaicPicture({ gone }: { gone: ReadonlySet<Cloud> }) {
  const { t } = useTranslation('content')
  const whole = tiles.every((tile) => isHeld(tile, gone))
  return (
    <figure className={styles.picture}>
      <figcaption className={styles.caption}>{t('mosaic.pictureLabel')}</figcaption>
      <svg
        viewBox={`0 0 ${columns * step - 2} ${rows * step - 2}`}
        role="img"
        aria-label={t(whole ? 'mosaic.pictureWhole' : 'mosaic.pictureBroken')}
      >
        {tiles.map((tile) => {
          const look = isHeld(tile, gone) ? (kinds[tile.kind] ?? styles.sky) : styles.lost
          return (
            <rect
              key={`${tile.x}.${tile.y}`}
              className={`${styles.tile} ${look}`}
              data-shade={tile.shade}
              x={tile.x * step + 1}
              y={tile.y * step + 1}
              width={step - 4}
              height={step - 4}
              rx="6"
            />
          )
        })}
      </svg>
    </figure>
  )
}
