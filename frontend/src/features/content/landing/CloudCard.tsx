import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { noiseOf, type Cloud } from './mosaic'
import styles from './mosaic.module.css'

type Props = {
  cloud: Cloud
  gone: boolean
  broken: boolean
  onTakeAway: () => void
  onBreakIn: () => void
}

const pieces = 20

export function CloudCard({ cloud, gone, broken, onTakeAway, onBreakIn }: Props) {
  const { t } = useTranslation('content')
  const noise = noiseOf(cloud, pieces * 2)
  const state = gone ? 'stateGone' : broken ? 'stateBroken' : 'stateThere'
  return (
    <div className={`t-card ${styles.cloud}`} data-state={state}>
      <h3>
        <bdi>{cloud}</bdi>
      </h3>
      <p className="t-soft">{t(`mosaic.${state}`)}</p>
      <div className={styles.pieces} aria-hidden="true" dir="ltr">
        {Array.from({ length: pieces }, (_, index) => (
          <span key={index} className={styles.piece} data-shade={noise.charCodeAt(index) % 3}>
            {broken && !gone ? noise.slice(index * 2, index * 2 + 2) : ''}
          </span>
        ))}
      </div>
      <div className="t-line">
        <Button
          variant={gone ? 'primary' : 'outlined'}
          aria-pressed={gone}
          aria-label={t('mosaic.takeAwayLabel', { cloud })}
          onClick={onTakeAway}
        >
          {t('mosaic.takeAway')}
        </Button>
        <Button
          variant={broken ? 'primary' : 'outlined'}
          aria-pressed={broken}
          aria-label={t('mosaic.breakInLabel', { cloud })}
          onClick={onBreakIn}
        >
          {t('mosaic.breakIn')}
        </Button>
      </div>
    </div>
  )
}
