import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/i18n/format'
import styles from './Pager.module.css'
import { PAGE_SIZES, type TableControl } from './use-table-state'

type Props = { control: TableControl; total: number; capped?: boolean; shown: number }

const arrows = {
  first: 'M12 4 7 9l5 5M5 4v10',
  previous: 'M11 4 6 9l5 5',
  next: 'M7 4l5 5-5 5',
  last: 'M6 4l5 5-5 5M13 4v10',
}

export function Pager({ control, total, capped = false, shown }: Props) {
  const { t } = useTranslation('table')
  const id = useId()
  const { page, size } = control.state
  const lastPage = Math.max(0, Math.ceil(total / size) - 1)
  const hasNext = capped ? shown === size : page < lastPage
  const steps = [
    ['first', 0, page > 0],
    ['previous', page - 1, page > 0],
    ['next', page + 1, hasNext],
    ['last', lastPage, hasNext && !capped],
  ] as const
  const range = {
    from: formatNumber(total === 0 ? 0 : page * size + 1),
    to: formatNumber(page * size + shown),
    total: capped ? t('pages.capped', { total: formatNumber(total) }) : formatNumber(total),
  }
  return (
    <nav className={styles.pager} aria-label={t('pages.label')}>
      <label htmlFor={id}>{t('pages.size')}</label>
      <select id={id} value={size} onChange={(event) => control.change({ size: Number(event.target.value) })}>
        {PAGE_SIZES.map((each) => (
          <option key={each} value={each}>
            {formatNumber(each)}
          </option>
        ))}
      </select>
      <span className={styles.range}>{t('pages.range', range)}</span>
      <span className={styles.steps}>
        {steps.map(([step, target, possible]) => (
          <button
            key={step}
            type="button"
            className={styles.step}
            aria-label={t(`pages.${step}`)}
            disabled={!possible}
            onClick={() => control.change({ page: target })}
          >
            <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
              <path
                d={arrows[step]}
                fill="none"
                stroke="currentColor"
                strokeWidth="1.8"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </svg>
          </button>
        ))}
      </span>
    </nav>
  )
}
