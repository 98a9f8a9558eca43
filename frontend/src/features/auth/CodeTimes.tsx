import { useTranslation } from 'react-i18next'
import styles from './auth.module.css'
import { Sentence } from './Sentence'
import { asClock } from './use-seconds-left'

/** The clock runs for the eye; a screen reader hears only the last minute and the end. */
export function CodeTimes({ timeLeft }: { timeLeft: number }) {
  const { t } = useTranslation('auth')
  const spoken = timeLeft === 0 ? t('code.expired') : timeLeft <= 60 ? t('code.lastMinute') : ''
  return (
    <div>
      <p className={styles.status} aria-hidden={timeLeft === 0}>
        {timeLeft > 0 ? <Sentence text="code.timeLeft" name="time" value={asClock(timeLeft)} /> : t('code.expired')}
      </p>
      <span className="t-hidden" role="status">
        {spoken}
      </span>
    </div>
  )
}
