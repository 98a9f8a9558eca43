import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { TesseraMark } from '@/components/TesseraMark'
import { labelIndex, labels, type Step } from './flow'
import styles from './stepper.module.css'
import { CheckIcon } from '@/components/icons/CheckIcon'

type Props = {
  step: Step
  /** Asks before the page is left. */
  onLeave: (() => void) | undefined
}

/** Where one is. It leads nowhere: Back, Next and the links of the last step do. */
export function Stepper({ step, onLeave }: Props) {
  const { t } = useTranslation(['signup', 'common'])
  const current = labelIndex(step)
  const label = labels[current] ?? 'password'
  return (
    <aside className={styles.aside} aria-label={t('progress')}>
      <Link
        to="/"
        className={styles.home}
        aria-label={t('common:header.home')}
        onClick={(event) => {
          if (!onLeave) return
          event.preventDefault()
          onLeave()
        }}
      >
        <TesseraMark size={36} />
        <span aria-hidden>Tessera</span>
      </Link>
      <p className={styles.where} aria-hidden>
        <span>{t('stepOf', { step: current + 1, count: labels.length })}</span>
        <strong>{t(`steps.${label}`)}</strong>
      </p>
      <ol className={styles.steps}>
        {labels.map((name, index) => (
          <li
            key={name}
            className={styles.step}
            data-state={index < current ? 'done' : index === current ? 'current' : 'open'}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className={styles.tile} aria-hidden>
              {index < current ? <CheckIcon /> : index + 1}
            </span>
            <span className={styles.label}>{t(`steps.${name}`)}</span>
            {index < current ? <span className="t-hidden">{t('done')}</span> : null}
          </li>
        ))}
      </ol>
      <p className={styles.promise}>{t('promise')}</p>
    </aside>
  )
}
