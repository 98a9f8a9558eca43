import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CloudCard } from './CloudCard'
import { clouds, columns, isHeld, rows, tiles, type Cloud } from './mosaic'
import styles from './mosaic.module.css'
import { Section } from './Section'

const step = 30

const none: ReadonlySet<Cloud> = new Set()

function toggled(set: ReadonlySet<Cloud>, cloud: Cloud): ReadonlySet<Cloud> {
  return new Set(clouds.filter((other) => set.has(other) !== (other === cloud)))
}

export function Mosaic() {
  const { t, i18n } = useTranslation('content')
  const [gone, setGone] = useState(none)
  const [broken, setBroken] = useState(none)
  const names = new Intl.ListFormat(i18n.language)
  const goneText = t(`mosaic.live.gone${gone.size}`, { clouds: names.format(gone) })
  const brokenText = t(broken.size > 1 ? 'mosaic.live.brokenMany' : 'mosaic.live.broken1', {
    clouds: names.format(broken),
  })

  return (
    <Section title={t('mosaic.title')} lead={t('mosaic.lead')}>
      <div className={`t-card ${styles.mosaic}`}>
        <MosaicPicture gone={gone} />
        <div className={styles.clouds} role="group" aria-label={t('mosaic.clouds')}>
          {clouds.map((cloud) => (
            <CloudCard
              key={cloud}
              cloud={cloud}
              gone={gone.has(cloud)}
              broken={broken.has(cloud)}
              onTakeAway={() => setGone(toggled(gone, cloud))}
              onBreakIn={() => setBroken(toggled(broken, cloud))}
            />
          ))}
        </div>
        <div className={`t-ends ${styles.result}`}>
          <div role="status" className={styles.live}>
            <p className={gone.size > 1 ? styles.bad : undefined}>{goneText}</p>
            {broken.size > 0 && <p>{brokenText}</p>}
          </div>
          <Button
            variant="outlined"
            size="large"
            disabled={gone.size + broken.size === 0}
            onClick={() => {
              setGone(none)
              setBroken(none)
            }}
          >
            {t('mosaic.reset')}
          </Button>
        </div>
      </div>
      <p className="t-soft">{t('mosaic.note')}</p>
    </Section>
  )
}

function MosaicPicture({ gone }: { gone: ReadonlySet<Cloud> }) {
  const { t } = useTranslation('content')
  const whole = tiles.every((tile) => isHeld(tile, gone))
  return (
    <figure>
      <figcaption className="t-soft">{t('mosaic.pictureLabel')}</figcaption>
      <svg
        viewBox={`0 0 ${columns * step - 2} ${rows * step - 2}`}
        role="img"
        aria-label={t(whole ? 'mosaic.pictureWhole' : 'mosaic.pictureBroken')}
      >
        {tiles.map((tile) => (
          <rect
            key={`${tile.x}.${tile.y}`}
            className={styles.tile}
            data-kind={isHeld(tile, gone) ? tile.kind : 'lost'}
            data-shade={tile.shade}
            x={tile.x * step + 1}
            y={tile.y * step + 1}
            width={step - 4}
            height={step - 4}
            rx="6"
          />
        ))}
      </svg>
    </figure>
  )
}
